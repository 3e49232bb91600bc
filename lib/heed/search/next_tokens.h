// Which tokens may follow a hypothesis: the rules that the options and the constraints of a sentence add to the model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/search/beam_model.h"
#include "heed/search/sentence_beam.h"

namespace heed::search {

/// The rules for one hypothesis.
struct NextTokens {
  text::Ids barred = {};     ///< the model does not choose among these, nor among `asked`
  text::Ids asked = {};      ///< these may follow, whatever their probability
  bool asked_alone = false;  ///< whether only `asked` may follow
};

/// hypothesis: its tokens; room: how many more tokens it may have; constraints: of the line; null: none.
/// - Within the prefix, only its next token follows.
/// - While a required phrase is missing, the hypothesis cannot end, and the next token of each missing phrase may
///   follow. Without room for other tokens, only tokens that leave room for the remaining phrases may follow.
/// - A token that would make the text contain a forbidden phrase must not follow. Exception: a required phrase without
///   room for another token.
/// - A token that would repeat an n-gram of `no_repeat_ngram` tokens must not follow, unless a required phrase needs
///   it.
/// - With a repetition penalty, the tokens that the hypothesis already has are in `asked`, so that they get the
///   penalty.
NextTokens next_tokens(std::span<const int32_t> hypothesis, int64_t room, const SentenceConstraints* constraints,
                       const SearchOptions& options);

/// The rules for all hypotheses of a step.
struct StepRules {
  TokenLists barred, asked;          // [S * beam]
  std::vector<uint8_t> asked_alone;  // [S * beam]

  /// Whether there are any rules.
  bool any() const { return barred.hypotheses() > 0; }
};
/// Whether the options, or the constraints of any sentence, need rules for the next token.
bool need_rules(std::span<const SentenceBeam> sentences, const SearchOptions& options);
/// ends: of each sentence. If the end is forced, a rule excludes only the end of a text that ends with a forbidden
/// phrase.
StepRules step_rules(std::span<const SentenceBeam> sentences, std::span<const End> ends, const SearchOptions& options);

}  // namespace heed::search
