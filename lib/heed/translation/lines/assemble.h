// Joins the translations of a line's parts into the translation of the line.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/search/hypothesis.h"
#include "heed/search/search_options.h"
#include "heed/search/sentence_constraints.h"
#include "heed/search/source_item.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/split_line.h"
#include "heed/translation/lines/translation.h"
#include "heed/translation/lines/unknown_word_replacer.h"

namespace heed::translation {

/// The text of token ids on one line. A tokenizer with byte fallback can produce line breaks: each becomes a space.
std::string line_of(const text::Tokenizer& tokenizer, const text::Ids& ids);

/// A part of a line with its hypotheses, best first, without the target-language tag.
struct TranslatedPart {
  LinePart part;
  std::shared_ptr<const search::SourceItem> item = {};  ///< the vectors of the line; null: none
  std::vector<search::Hypothesis> hypotheses;
  std::shared_ptr<const search::SentenceConstraints> constraints = {};  ///< constraints on its translation; null: none
  std::string prefix = {};                    ///< the text that its translations must begin with
  std::vector<text::HeadWeights> heads = {};  ///< per hypothesis, like its attention; empty unless asked for
};

/// Joins the texts and adds the log-probabilities and penalties. Spaces between the parts:
/// - If a word of the source ends between two parts (word_ends_between), their texts get a space if blank_between says
///   so.
/// - If the source was split inside a word, there is no space.
///
/// The n-th best translation of a split line consists of the n-th best of each part, or the last one of a part that has
/// fewer. A prefix is written as it was given. Hypotheses with attention also give the positions of the words in the
/// whole line. unknown: replaces unknown tokens; null: they are kept.
Translation assemble(std::span<const TranslatedPart> parts, const text::Tokenizers& tokenizers,
                     const search::SearchOptions& search, const UnknownWordReplacer* unknown = nullptr);

}  // namespace heed::translation
