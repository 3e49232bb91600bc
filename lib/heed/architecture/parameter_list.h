// The names and shapes of a model's parameters, which follow from its options.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "heed/architecture/norm_options.h"

namespace heed::models {

/// The shapes of a model's parameters and buffers by their names in its files:
/// "decoder.layers.0.feed_forward.hidden.weight" -> [d_hidden, d_model].
using ParameterShapes = std::map<std::string, std::vector<int64_t>>;

/// Lists the parameters of one module. Their names begin with the module's name.
class ParameterList {
 public:
  /// prefix: the module's name with a dot; empty for the whole model.
  explicit ParameterList(ParameterShapes& shapes, std::string prefix = "");

  /// The list of a submodule, and of the i-th of its `layers`.
  ParameterList module(const std::string& name) const;
  ParameterList layer(int64_t i) const { return module("layers." + std::to_string(i)); }

  void tensor(const std::string& name, std::vector<int64_t> shape) const;
  /// W [out, in] and b [out] of heed_torch/nn/linear.h.
  void linear(const std::string& name, int64_t in, int64_t out, bool bias = true) const;
  void norm(const std::string& name, const nn::NormOptions& options) const;

 private:
  ParameterShapes& shapes_;
  std::string prefix_;
};

}  // namespace heed::models
