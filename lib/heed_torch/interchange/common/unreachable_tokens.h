// Entries that a model never produces. Another toolkit's vocabulary may lack some of heed's special ids.
#pragma once

#include <cstdint>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::interchange {

/// How far the bias of such an entry is below the lowest other bias: its probability is e^-100 of theirs.
inline constexpr double kNeverProduced = -100;

/// Whether pad or bos can never be produced: its row of the output layer is zero, and its bias is far below those of
/// all other entries.
bool is_out_of_reach(const checkpoint::NamedTensors& tensors, int64_t id);

}  // namespace heed::interchange
