// Joins the translations of a line's parts to the translation of the line.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/search/hypothesis.h"
#include "heed/search/search_options.h"
#include "heed/search/source_item.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/split_line.h"
#include "heed/translation/lines/translation.h"

namespace heed::translation {

/// The text of ids on one line: a tokenizer that falls back to bytes can spell line breaks.
std::string line_of(const text::Tokenizer& tokenizer, const text::Ids& ids);

/// A part of a line and its hypotheses, best first.
struct TranslatedPart {
  LinePart part;
  std::shared_ptr<const search::SourceItem> item = {};  ///< the vectors of the line, if it has any
  std::vector<search::Hypothesis> hypotheses;
  std::vector<text::HeadWeights> heads = {};  ///< of each hypothesis, as its attention is; empty: not asked for
};

/// The texts are joined as the source's parts were, the log-probabilities added. The n-th best of a split line is made
/// of the n-th best of each part (the last of a part that has fewer). Hypotheses with attention give the words' places
/// in the whole line too.
Translation assemble(std::span<const TranslatedPart> parts, const text::Tokenizers& tokenizers,
                     const search::LengthPenalty& penalty);

}  // namespace heed::translation
