// The position-wise feed-forward network (Vaswani et al. 2017, section 3.3) and its gated form (Shazeer 2020,
// https://arxiv.org/abs/2002.05202):
//   plain   f(x W1 + b1) W2 + b2
//   gated   (f(x W + b) * (x V + c)) W2 + b2    f sigmoid: GLU; relu: ReGLU; gelu: GEGLU; silu: SwiGLU
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/architecture/feed_forward_options.h"
#include "heed_torch/nn/linear.h"

namespace heed::nn {

/// x: float, any shape; elementwise.
Tensor activate(const Tensor& x, Activation activation);

class FeedForwardImpl : public torch::nn::Module, public LoraHost {
 public:
  explicit FeedForwardImpl(const FeedForwardOptions& options);

  /// x: float [..., d_model] -> float [..., d_model]; positions are independent.
  Tensor forward(const Tensor& x);
  int64_t add_lora(const LoraOptions& options) override;
  const FeedForwardOptions& options() const { return options_; }

  Linear hidden{nullptr};  ///< W1; gated: W and V stacked
  Linear output{nullptr};  ///< W2

 private:
  FeedForwardOptions options_;
};
TORCH_MODULE(FeedForward);

}  // namespace heed::nn
