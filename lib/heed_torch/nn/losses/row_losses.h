// Losses of rows of logits and their gradients: what cross_entropy.h computes between its matrix multiplications. This
// is not a separate loss.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// The targets of the rows and the tensors for their losses. All are contiguous, [rows] for each pass. Losses have the
/// logits' type.
struct LossOutput {
  Tensor targets;              ///< int64 [rows]
  std::vector<Tensor> loss{};  ///< output, one tensor per pass
  std::vector<Tensor> nll{};   ///< output, one tensor per pass
  double smoothing = 0;
  bool gradient = false;          ///< whether to compute the gradient of the logits
  std::vector<Tensor> rounded{};  ///< output if not empty: the gradient in bfloat16, [rows, V], one tensor per pass;
                                  ///< only for float32 logits on the CPU
};

/// logits: float [rows, V], overwritten on the CPU. Returns the gradient of the sum of `loss` with respect to the
/// logits, possibly in their memory; undefined unless `gradient`.
Tensor write_losses(Tensor logits, const LossOutput& output);

/// The same for R-Drop. logits: [2 rows, V], the rows of the first pass, then those of the second. The loss is the sum
/// of both passes' losses.
Tensor write_r_drop_losses(Tensor logits, const LossOutput& output, double alpha);

}  // namespace heed::nn
