// How scores become weights when nothing is drawn (heed_torch/nn/attention/choice.h): softmax, sparsemax, or the best
// position alone, which is what hard and gumbel choices take in translation.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/architecture/choice_options.h"

namespace heed::engine {

/// scores: room for whole lanes of `count`, above 0; they become weights. sorted: memory to work in.
void choose_positions(const nn::ChoiceOptions& options, float* scores, int64_t count, std::vector<float>& sorted);

}  // namespace heed::engine
