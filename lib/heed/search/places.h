// Where required phrases belong: a phrase that translates words of the source belongs where the model attends to them
// (Hasler et al. 2018, https://arxiv.org/abs/1805.03750).
#pragma once

#include <cstddef>
#include <span>

#include "heed/search/phrases.h"
#include "heed/search/running_sentence.h"

namespace heed::search {

/// What a place counts as where the model attends elsewhere.
inline constexpr double kLeastPlace = 1e-3;

/// What a hypothesis loses where its next token completes required phrases: for each of them log(a), a being the share
/// of attention that the source of the phrase gets while it is written, the mean over its tokens. The hypothesis gets
/// that back if its next token makes the phrase unmet again. 0 where nothing of this happens, or the source of the
/// phrase is not known. attention: of each step of the hypothesis, the one that gives the next token
/// included; before, after: what the hypothesis has of the phrases without and with that token.
double place_penalty(const Demands& demands, std::span<const std::span<const float>> attention,
                     const PhraseProgress& before, const PhraseProgress& after);

}  // namespace heed::search
