// Initial values of parameters, by the role a parameter plays. A value is a function of the seed and the parameter's
// name alone, drawn on the CPU: the same on every device, and not changed by a parameter that comes or goes elsewhere.
//   xavier-uniform  U(-a, a), a = gain sqrt(6 / (in + out))     Glorot and Bengio 2010, equation 16
//   xavier-normal   N(0, gain^2 2 / (in + out))                  https://proceedings.mlr.press/v9/glorot10a.html
//   normal          N(0, deviation^2)
//   inverse-sqrt    N(0, 1 / width): vectors of length about 1, and with the factor sqrt(d_model) components of about 1
// Biases are 0, but that of an LSTM's forget gate 1, and the gains of norms 1.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include "heed/architecture/initialization_options.h"

namespace heed::nn {

using at::Tensor;

/// Gives the parameters of one module their values, each according to its role. `name`: the parameter's in its module.
class Initializer {
 public:
  Initializer(const InitializationOptions& options, uint64_t seed) : options_(options), seed_(seed) {}

  /// A linear map [out, in], or `stacked` of them on top of each other [stacked * out, in], drawn one by one.
  void weight(const std::string& name, const Tensor& parameter, int64_t stacked = 1);
  /// A table [rows, width].
  void embedding(const std::string& name, const Tensor& parameter);
  /// N(0, deviation^2), whatever the options say.
  void gaussian(const std::string& name, const Tensor& parameter, double deviation);
  void constant(const std::string& name, const Tensor& parameter, double value);

 private:
  friend void initialize(torch::nn::Module& model, const InitializationOptions& options, uint64_t seed);
  void draw(const std::string& name, const Tensor& parameter, int64_t stacked, const InitialDistribution& distribution);

  InitializationOptions options_;
  uint64_t seed_;
  std::string prefix_;          // of the present module
  std::set<std::string> done_;  // full names
};

/// What a module with parameters of its own (not those of its submodules) implements.
class Initialized {
 public:
  virtual ~Initialized() = default;
  virtual void initialize(Initializer& values) = 0;
};

/// Gives every parameter of `model` its initial value. Throws c10::Error when some module leaves one of its out.
void initialize(torch::nn::Module& model, const InitializationOptions& options, uint64_t seed);

}  // namespace heed::nn
