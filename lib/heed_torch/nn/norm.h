// Normalization of a vector over its components:
//   layer  (x - mean) / sqrt(var + epsilon) * weight + bias    Ba et al. 2016, https://arxiv.org/abs/1607.06450
//   rms    x / sqrt(mean(x^2) + epsilon) * weight              Zhang, Sennrich 2019, https://arxiv.org/abs/1910.07467
//   none   x
// mean and var are over the last dimension; var is the biased variance. bfloat16 vectors on a CPU are normalized by
// heed/kernels/norm_kernel, in one pass in each direction.
#pragma once

#include <cstdint>
#include <utility>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/architecture/norm_options.h"
#include "heed_torch/nn/initialization.h"

namespace heed::nn {

class NormImpl : public torch::nn::Module, public Initialized {
 public:
  explicit NormImpl(const NormOptions& options);

  /// x: float [..., d_model] -> float [..., d_model].
  Tensor forward(const Tensor& x);
  /// x and its norm, for a residual connection around a sublayer that reads the norm: norm_kernel adds the gradients of
  /// both.
  std::pair<Tensor, Tensor> with_residual(const Tensor& x);
  /// Sets weight to 1 and bias to 0.
  void initialize(Initializer& values) override;
  const NormOptions& options() const { return options_; }

  Tensor weight;  ///< [d_model], undefined for `none`
  Tensor bias;    ///< [d_model], for `layer` only

 private:
  bool has_kernel(const Tensor& x) const;

  NormOptions options_;
};
TORCH_MODULE(Norm);

}  // namespace heed::nn
