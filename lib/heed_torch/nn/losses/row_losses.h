// Losses of rows of logits and their gradients: the part of cross_entropy.h between its matrix products; not a loss of
// its own.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// Where rows have their targets and get their losses; the tensors of a pass are contiguous, [rows], of the logits'
/// type.
struct LossOutput {
  Tensor targets;              ///< int64 [rows]
  std::vector<Tensor> loss{};  ///< of each pass, written
  std::vector<Tensor> nll{};   ///< of each pass, written
  double smoothing = 0;
  bool gradient = false;  ///< whether the gradient of the logits is wanted
};

/// logits: float [rows, V], overwritten on the CPU. Returns the gradient of the sum of `loss` by them, which may be in
/// their memory; undefined if none is wanted.
Tensor write_losses(Tensor logits, const LossOutput& output);

/// The same for R-Drop; logits: [2 rows, V], those of one pass and then those of the other. Both passes' losses add up
/// to the loss.
Tensor write_r_drop_losses(Tensor logits, const LossOutput& output, double alpha);

}  // namespace heed::nn
