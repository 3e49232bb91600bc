// A convolution over positions with a gated linear unit: the layer of Gehring et al. 2017
// (https://arxiv.org/abs/1705.03122, section 3.2) and Dauphin et al. 2017 (https://arxiv.org/abs/1612.08083):
//   [a; b]_t = W [x_{t-l}; ...; x_{t-l+k-1}] + c,    y_t = a_t * sigmoid(b_t)
// The kernel has k positions; positions outside of the sentence are zero. If centered, l = (k - 1) / 2 and k is odd. If
// causal, l = k - 1, so that y_t does not depend on inputs after x_t.
#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/nn/linear.h"

namespace heed::nn {

struct GatedConvolutionOptions {
  int64_t d_model;     ///< width of x and y
  int64_t kernel = 3;  ///< k; odd unless causal
  bool causal = false;
  bool operator==(const GatedConvolutionOptions&) const = default;
};

class GatedConvolutionImpl : public torch::nn::Module {
 public:
  explicit GatedConvolutionImpl(const GatedConvolutionOptions& options);

  /// x: float [S, length, d_model], zeros at padding -> the same shape.
  Tensor forward(const Tensor& x);
  /// Causal only: computes one position of each row. x: float [S, beam, d_model]; past: float [S, beam, k - 1,
  /// d_model], the previous inputs (zeros at first). `past` is updated for the next position.
  Tensor step(const Tensor& x, Tensor& past);
  const GatedConvolutionOptions& options() const { return options_; }

  Linear map{nullptr};  ///< W, c: [2 * d_model, k * d_model], the rows of a, then those of b

 private:
  GatedConvolutionOptions options_;
};
TORCH_MODULE(GatedConvolution);

}  // namespace heed::nn
