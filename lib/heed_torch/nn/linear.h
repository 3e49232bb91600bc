// The affine map y = x W^T + b. Every product with a weight matrix goes through it (or through the embedding and the
// output layer): it is the one place where a weight's number format can change.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/nn/initialization.h"
#include "heed_torch/nn/lora.h"

namespace heed::nn {

struct LinearOptions {
  int64_t in;           ///< width of the input
  int64_t out;          ///< width of the output
  bool bias = true;     ///< whether b is added
  int64_t stacked = 1;  ///< maps of width out / stacked that share one product (query, key and value: 3); each has its
                        ///< own initial values
  std::vector<double> initial_bias = {};  ///< of each stacked map; empty: 0
  bool operator==(const LinearOptions&) const = default;
};

class LinearImpl : public torch::nn::Module, public Initialized {
 public:
  explicit LinearImpl(const LinearOptions& options);

  /// x: float [..., in] -> float [..., out].
  Tensor forward(const Tensor& x);
  void initialize(Initializer& values) override;
  /// Trains a low-rank update of the weight instead of the weight (heed_torch/nn/lora.h). maps: which of the stacked
  /// ones, in rising order; empty: none, which changes nothing. Gives their number.
  int64_t adapt(const LoraOptions& options, const std::vector<int64_t>& maps);
  void remove_adapter();
  /// An adapted map that begins to evaluate merges its update.
  void train(bool on = true) override;
  const LinearOptions& options() const { return options_; }

  Tensor weight;       ///< [out, in]
  Tensor bias;         ///< [out], undefined without bias
  Lora lora{nullptr};  ///< none but in an adapted map

 private:
  LinearOptions options_;
};
TORCH_MODULE(Linear);

}  // namespace heed::nn
