// Normalization of a vector over its components:
//   layer  (x - mean) / sqrt(var + epsilon) * weight + bias    Ba et al. 2016, https://arxiv.org/abs/1607.06450
//   rms    x / sqrt(mean(x^2) + epsilon) * weight              Zhang, Sennrich 2019, https://arxiv.org/abs/1910.07467
//   none   x
// mean and var are over the last dimension; var is the biased variance.
#pragma once

#include <cstdint>

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
  /// Sets weight to 1 and bias to 0.
  void initialize(Initializer& values) override;
  const NormOptions& options() const { return options_; }

  Tensor weight;  ///< [d_model], undefined for `none`
  Tensor bias;    ///< [d_model], for `layer` only

 private:
  NormOptions options_;
};
TORCH_MODULE(Norm);

}  // namespace heed::nn
