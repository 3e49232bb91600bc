// Turns attention scores into weights in inference, without sampling (heed_torch/nn/attention/attention_function.h):
// softmax, sparsemax, or the best position only. The latter is what hard and gumbel use in translation.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/architecture/attention_function.h"

namespace heed::engine {

/// scores: `count` above 0, padded to whole vector lanes; replaced by weights. sorted: working memory.
void choose_positions(const nn::AttentionFunction& options, float* scores, int64_t count, std::vector<float>& sorted);

}  // namespace heed::engine
