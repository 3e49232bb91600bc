#include "heed_torch/nn/gated_convolution.h"

#include <vector>

#include <ATen/ATen.h>

namespace heed::nn {

GatedConvolutionImpl::GatedConvolutionImpl(const GatedConvolutionOptions& options) : options_(options) {
  TORCH_CHECK(options.causal || options.kernel % 2 == 1, "a centered kernel must be odd, found ", options.kernel);
  const LinearOptions both{.in = options.kernel * options.d_model, .out = 2 * options.d_model, .stacked = 2};
  map = register_module("map", Linear(both));
}

Tensor GatedConvolutionImpl::forward(const Tensor& x) {
  const int64_t before = options_.causal ? options_.kernel - 1 : (options_.kernel - 1) / 2;
  const int64_t after = options_.kernel - 1 - before;
  const Tensor padded = at::constant_pad_nd(x, {0, 0, before, after});
  std::vector<Tensor> places;  // the positions of a window, each [S, length, d_model]
  for (int64_t i = 0; i < options_.kernel; ++i) places.push_back(padded.narrow(1, i, x.size(1)));
  return at::glu(map(at::cat(places, -1)), -1);
}

Tensor GatedConvolutionImpl::step(const Tensor& x, Tensor& past) {
  TORCH_CHECK(options_.causal, "only a causal convolution goes step by step");
  const Tensor window = at::cat({past, x.unsqueeze(2)}, 2);  // [S, beam, k, d_model]
  past = window.narrow(2, 1, options_.kernel - 1);
  return at::glu(map(window.flatten(2)), -1);
}

}  // namespace heed::nn
