// Normalization of a vector over its components:
//   layer  (x - mean) / sqrt(var + epsilon) * weight + bias    Ba et al. 2016, https://arxiv.org/abs/1607.06450
//   rms    x / sqrt(mean(x^2) + epsilon) * weight              Zhang, Sennrich 2019, https://arxiv.org/abs/1910.07467
//   none   x
// mean and var (the biased one) are over the last dimension.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/nn/initialization.h"

namespace heed::nn {

enum class NormKind { Layer, Rms, None };
/// None has no name: a user who wants no norm says so where the norms' places are chosen.
constexpr auto option_names(NormKind) {
  using Name = std::pair<NormKind, std::string_view>;
  return std::array{Name{NormKind::Layer, "layer"}, Name{NormKind::Rms, "rms"}};
}

struct NormOptions {
  int64_t d_model;                  ///< width of the vectors
  NormKind kind = NormKind::Layer;  ///< the formula
  double epsilon = 1e-6;            ///< added below the root; positive
  bool operator==(const NormOptions&) const = default;
};

class NormImpl : public torch::nn::Module, public Initialized {
 public:
  explicit NormImpl(const NormOptions& options);

  /// x: float [..., d_model] -> float [..., d_model].
  Tensor forward(const Tensor& x);
  /// weight 1 and bias 0.
  void initialize(Initializer& values) override;
  const NormOptions& options() const { return options_; }

  Tensor weight;  ///< [d_model], undefined for `none`
  Tensor bias;    ///< [d_model], of `layer` only

 private:
  NormOptions options_;
};
TORCH_MODULE(Norm);

}  // namespace heed::nn
