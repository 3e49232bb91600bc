// Guided alignment (Chen et al. 2016, https://arxiv.org/abs/1607.01628): attention learns from word alignments. The
// loss of a target token t with links to the source tokens L(t) is the cross-entropy of its attention a_t with an even
// distribution over them:
//   loss_t = -1 / |L(t)| sum_{s in L(t)} log a_ts
// Target tokens without links have none.
#pragma once

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// N links between tokens. All members are on the device of the attention.
struct AlignmentLinks {
  Tensor targets;  ///< int64 [N]: row * target + t, for attention [S, target, source]
  Tensor sources;  ///< int64 [N]: s
  Tensor shares;   ///< float [N]: 1 / |L(t)|, times the weight of the row
};

/// The sum of the losses, a differentiable float32 scalar. attention: float [passes * S, target, source], where each
/// pass (R-Drop) is of the same S rows; the losses are the means over the passes.
Tensor guided_alignment_loss(const Tensor& attention, const AlignmentLinks& links, int64_t passes = 1);

}  // namespace heed::nn
