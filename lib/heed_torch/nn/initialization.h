// Initial values of parameters, by the role of each parameter. A value depends only on the seed and on the parameter's
// name, and is sampled on the CPU. So it is the same on every device, and other parameters do not change it.
//   xavier-uniform  U(-a, a), a = gain sqrt(6 / (in + out))     Glorot and Bengio 2010, equation 16
//   xavier-normal   N(0, gain^2 2 / (in + out))                  https://proceedings.mlr.press/v9/glorot10a.html
//   normal          N(0, deviation^2)
//   inverse-sqrt    N(0, 1 / width): vectors of length about 1, and with the factor sqrt(d_model) components of about 1
// Biases are 0, except that of an LSTM's forget gate, which is 1. The gains of norms are 1.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include "heed/architecture/initialization_options.h"

namespace heed::nn {

using at::Tensor;

/// Initializes the parameters of one module, each according to its role. `name`: the parameter's name in its module.
class Initializer {
 public:
  Initializer(const InitializationOptions& options, uint64_t seed) : options_(options), seed_(seed) {}

  /// The weight of a linear layer [out, in], or `stacked` of them, [stacked * out, in], which are sampled separately.
  void weight(const std::string& name, const Tensor& parameter, int64_t stacked = 1);
  /// The weight of the last linear layer of a residual branch: as weight(), or zeros if the options say so. The branch
  /// then adds nothing at first (Zhang et al. 2019, https://arxiv.org/abs/1901.09321; similar to the factor 0 of
  /// ReZero, Bachlechner et al. 2020, https://arxiv.org/abs/2003.04887).
  void last_weight(const std::string& name, const Tensor& parameter);
  /// An embedding table [rows, width].
  void embedding(const std::string& name, const Tensor& parameter);
  /// N(0, deviation^2), independent of the options.
  void gaussian(const std::string& name, const Tensor& parameter, double deviation);
  void constant(const std::string& name, const Tensor& parameter, double value);

 private:
  friend void initialize(torch::nn::Module& model, const InitializationOptions& options, uint64_t seed);
  void draw(const std::string& name, const Tensor& parameter, int64_t stacked, const InitialDistribution& distribution);

  InitializationOptions options_;
  uint64_t seed_;
  std::string prefix_;          // name of the current module, as a prefix
  std::set<std::string> done_;  // full names of the parameters that have values
};

/// The interface of a module with parameters of its own (not only those of its submodules).
class Initialized {
 public:
  virtual ~Initialized() = default;
  virtual void initialize(Initializer& values) = 0;
};

/// Sets the initial value of every parameter of `model`. Throws c10::Error if a module misses one of its parameters.
void initialize(torch::nn::Module& model, const InitializationOptions& options, uint64_t seed);

}  // namespace heed::nn
