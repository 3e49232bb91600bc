// What may follow a hypothesis beside what its model finds likely: the rules of a search and the demands of a sentence,
// as a step asks its model about them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/search/beam_model.h"
#include "heed/search/running_sentence.h"

namespace heed::search {

/// Of one hypothesis.
struct NextTokens {
  text::Ids barred = {};     ///< the model does not choose among these, nor among those asked for
  text::Ids asked = {};      ///< these may follow whatever the model thinks of them
  bool asked_alone = false;  ///< whether nothing else may follow
};

/// hypothesis: its tokens; room: how many more tokens it may have; demands: the line's constraints, null for none.
/// - Within the prefix its next token follows.
/// - While a required phrase is missing, the hypothesis does not end and the next token of each such phrase may follow;
///   without room for other tokens, only tokens follow that leave room for the rest of the phrases.
/// - A token that makes the text contain a forbidden phrase does not follow. The exception is a required phrase without
///   room for another token.
/// - A token that would repeat a stretch of `no_repeat_ngram` tokens does not follow, unless a required phrase needs
/// it.
/// - Where there is a repetition penalty, the tokens that the hypothesis has are asked for: they follow at a penalty.
NextTokens next_tokens(std::span<const int32_t> hypothesis, int64_t room, const Demands* demands,
                       const SearchOptions& options);

/// Of a step of all sentences.
struct StepRules {
  TokenLists barred, asked;          // [S * beam]
  std::vector<uint8_t> asked_alone;  // [S * beam]

  /// Whether anything is barred or asked for.
  bool any() const { return barred.hypotheses() > 0; }
};
/// Whether some sentence, or all, need rules.
bool need_rules(std::span<const RunningSentence> sentences, const SearchOptions& options);
/// ends: of each sentence; where it is forced, all that is barred is the end of a text that ends with a forbidden
/// phrase.
StepRules step_rules(std::span<const RunningSentence> sentences, std::span<const End> ends,
                     const SearchOptions& options);

}  // namespace heed::search
