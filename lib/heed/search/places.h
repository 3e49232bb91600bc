// Attention guides where a required phrase is placed: while the phrase is written, the model should attend to the
// source words that it translates (Hasler et al. 2018, https://arxiv.org/abs/1805.03750).
#pragma once

#include <cstddef>
#include <span>

#include "heed/search/phrases.h"
#include "heed/search/sentence_beam.h"

namespace heed::search {

/// The lower bound of the attention share, so that the logarithm is finite.
inline constexpr double kMinAttentionShare = 1e-3;

/// The penalty of a hypothesis when its next token completes required phrases: log(a) for each. a is the share of
/// attention on the phrase's source, averaged over the tokens of the phrase. If the next token makes a phrase unmet
/// again, its penalty is taken back. 0 if no phrase changes or its source is unknown.
/// attention: per step of the hypothesis, including the step that produces the next token. before, after: the state of
/// the phrases without and with that token.
double phrase_attention_penalty(const SentenceConstraints& constraints,
                                std::span<const std::span<const float>> attention, const PhraseProgress& before,
                                const PhraseProgress& after);

}  // namespace heed::search
