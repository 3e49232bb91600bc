#include "heed_torch/nn/losses/guided_alignment.h"

#include <ATen/ATen.h>

namespace heed::nn {

Tensor guided_alignment_loss(const Tensor& attention, const AlignmentLinks& links, int64_t passes) {
  constexpr double kLeast = 1e-6;  // added to weights, so that a weight of 0 has a logarithm
  const int64_t columns = attention.size(2);
  const Tensor of_passes = attention.reshape({passes, -1}).to(at::kFloat);  // [passes, S * target * source]
  const Tensor linked = of_passes.index_select(1, links.targets * columns + links.sources);
  return -((linked + kLeast).log() * links.shares).sum() / static_cast<double>(passes);
}

}  // namespace heed::nn
