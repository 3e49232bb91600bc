// The linear layer y = x W^T + b. All weight matrices are multiplied here, except in the embedding and the output
// layer. So this is the only place where the number format of weights can change.
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
  int64_t stacked = 1;  ///< number of projections of width out / stacked in one matrix multiplication (query, key and
                        ///< value: 3); each is initialized separately
  bool ends_branch = false;               ///< whether it is the last of a residual branch: see Initializer::last_weight
  std::vector<double> initial_bias = {};  ///< initial bias of each stacked projection; empty: 0
  bool operator==(const LinearOptions&) const = default;
};

class LinearImpl : public torch::nn::Module, public Initialized {
 public:
  explicit LinearImpl(const LinearOptions& options);

  /// x: float [..., in] -> float [..., out].
  Tensor forward(const Tensor& x);
  void initialize(Initializer& values) override;
  /// Trains a low-rank update of the weight instead of the weight (heed_torch/nn/lora.h). maps: indices of the stacked
  /// projections that get an update, in ascending order; if empty, nothing changes. Returns their number.
  int64_t adapt(const LoraOptions& options, const std::vector<int64_t>& maps);
  void remove_adapter();
  /// When an adapted layer is switched to evaluation, it merges its update.
  void train(bool on = true) override;
  const LinearOptions& options() const { return options_; }

  Tensor weight;       ///< [out, in]
  Tensor bias;         ///< [out], undefined without bias
  Lora lora{nullptr};  ///< null unless the layer is adapted

 private:
  LinearOptions options_;
};
TORCH_MODULE(Linear);

}  // namespace heed::nn
