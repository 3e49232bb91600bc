// Joins the translations of a line's parts to the translation of the line.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/search/demands.h"
#include "heed/search/hypothesis.h"
#include "heed/search/search_options.h"
#include "heed/search/source_item.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/split_line.h"
#include "heed/translation/lines/translation.h"
#include "heed/translation/lines/unknown_words.h"

namespace heed::translation {

/// The text of ids on one line: a tokenizer that falls back to bytes can spell line breaks.
std::string line_of(const text::Tokenizer& tokenizer, const text::Ids& ids);

/// A part of a line and its hypotheses, best first, without the tag that they began with.
struct TranslatedPart {
  LinePart part;
  std::shared_ptr<const search::SourceItem> item = {};  ///< the vectors of the line, if it has any
  std::vector<search::Hypothesis> hypotheses;
  std::shared_ptr<const search::Demands> demands = {};  ///< of its translation; null: none
  std::string prefix = {};                              ///< the text that they have it begin with
  std::vector<text::HeadWeights> heads = {};  ///< of each hypothesis, as its attention is; empty: not asked for
};

/// Joins the texts, and adds the log-probabilities and penalties. If a word of the source ends between two parts
/// (word_ends_between), a blank separates their texts where the script of the translation has one (blank_between). If
/// the source was cut inside a word, no blank does. The n-th best of a split line is made of the n-th best of each part
/// (the last of a part that has fewer). A prefix is written as it was given. Hypotheses with attention give the words'
/// places in the whole line too. unknown: what is written for unknown tokens, where that is not null.
Translation assemble(std::span<const TranslatedPart> parts, const text::Tokenizers& tokenizers,
                     const search::SearchOptions& search, const UnknownWords* unknown = nullptr);

}  // namespace heed::translation
