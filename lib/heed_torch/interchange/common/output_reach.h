// Entries that a model never produces: another toolkit's vocabulary may lack some of heed's special ids.
#pragma once

#include <cstdint>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::interchange {

/// What the bias of such an entry is below the lowest of the others: e^-100 of their probability.
inline constexpr double kNeverProduced = -100;

/// Whether pad or bos has no share of the probability: zeros in the output layer, and a bias far below all that the
/// other entries have.
bool is_out_of_reach(const checkpoint::NamedTensors& tensors, int64_t id);

}  // namespace heed::interchange
