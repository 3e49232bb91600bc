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
  double score = 0;                                ///< what it is ranked by: log_probability with all penalties
  double log_probability = 0;                      ///< natural log of p(text | source), summed over scored_tokens()
  text::Ids source;                                ///< without end-of-sentence; of a split line, those of all its parts
  text::Ids target;                                ///< without end-of-sentence
  std::vector<float> token_log_probabilities;      ///< per target id and end-of-sentence (of each part); empty unless
                                                   ///< asked for
  text::AlignmentWeights attention;                ///< per target id: weights over the source ids; empty unless asked
                                                   ///< for
  text::HeadWeights heads;                         ///< the attention of every layer and head; empty unless asked for
  std::shared_ptr<const search::SourceItem> item;  ///< the source's vectors; null: none
  text::AlignmentWeights item_attention;           ///< per target id: weights over the encoder positions of the
                                                   ///< vectors; empty unless asked for
  text::AlignmentUnits source_words;               ///< the words of the source ids in the whole line; only with the
                                                   ///< attention
  text::AlignmentUnits target_words;               ///< the words of the target ids in `text`; only with the attention
  int64_t terms = 0;                               ///< number of terms that the line requires
  std::vector<float> term_log_probabilities;       ///< for each required term in the translation: the mean over its
                                                   ///< tokens
  int64_t parts = 1;                               ///< more than 1 for a split line; 0 for a blank line
  int64_t tag_tokens = 0;          ///< tokens of the target-language tag (of each part): in log_probability, but not in
                                   ///< `target`
  bool source_complete = true;     ///< false if a character has more tokens than the model can read
  bool complete = true;            ///< false if the length limit truncated the translation
  bool ended_by_rules = false;     ///< whether rules of the search left no token that could follow
  bool loses_placeholder = false;  ///< see lost_text.h
  bool loses_number = false;
  std::vector<Translation> others;  ///< the rest of the n-best list, best first

  /// The number of tokens that log_probability sums over: tag, text and end-of-sentence of each part.
  int64_t scored_tokens() const { return std::ssize(target) + tag_tokens + parts; }
};

/// Aligns the words of the line with those of its translation. Needs the attention.
text::Alignment word_alignment(const Translation& translation);
/// Aligns the model's tokens. Needs the attention.
text::Alignment token_alignment(const Translation& translation, const text::Tokenizers& tokenizers);
/// The attention of the translation's words to the source's vectors. Needs the attention.
text::AlignmentWeights word_item_attention(const Translation& translation);

}  // namespace heed::translation
