// A translated line.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "heed/search/source_item.h"
#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"

namespace heed::translation {

struct Translation {
  std::string text;                                ///< never has a line break
  double score = 0;                                ///< what it was chosen by: log_probability after all penalties
  double log_probability = 0;                      ///< natural log of p(text | source), summed over scored_tokens()
  text::Ids source;                                ///< without end-of-sentence; of a split line, those of all its parts
  text::Ids target;                                ///< without end-of-sentence
  std::vector<float> token_log_probabilities;      ///< per target id and end-of-sentence (of each part), if asked for
  text::AlignmentWeights attention;                ///< per target id: weights over the source ids, if asked for
  text::HeadWeights heads;                         ///< the same of every layer and head, if asked for
  std::shared_ptr<const search::SourceItem> item;  ///< the source's vectors, if there are any
  text::AlignmentWeights item_attention;           ///< per target id: weights over them as the encoder reads them, if
                                                   ///< asked for
  text::AlignmentUnits source_words;               ///< of the source ids, in the line as a whole, with the attention
  text::AlignmentUnits target_words;               ///< of the target ids, in `text` as a whole, with the attention
  int64_t terms = 0;                               ///< that the line requires
  std::vector<float> term_log_probabilities;       ///< of each of them that is there: the mean of its tokens
  int64_t parts = 1;                               ///< more than 1 for a line that had to be split; 0 for a blank line
  int64_t tag_tokens = 0;       ///< tokens of the target tag (of each part): not in `target`, but in log_probability
  bool source_complete = true;  ///< false where a character has more tokens than the model reads at once
  bool complete = true;         ///< false where the length limit cut a translation short
  bool ended_by_rules = false;  ///< whether rules of the search left no token to follow
  std::vector<Translation> others;  ///< the next best, best first, where n-best is more than 1

  /// The tokens whose log-probabilities log_probability is the sum of: tag, text and end-of-sentence of each part.
  int64_t scored_tokens() const { return std::ssize(target) + tag_tokens + parts; }
};

/// Between the words of the line and those of its translation. Needs the attention.
text::Alignment word_alignment(const Translation& translation);
/// Between the model's tokens. Needs the attention.
text::Alignment token_alignment(const Translation& translation, const text::Tokenizers& tokenizers);
/// Of the words of the translation to the source's vectors. Needs the attention.
text::AlignmentWeights word_item_attention(const Translation& translation);

}  // namespace heed::translation
