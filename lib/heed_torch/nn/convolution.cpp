#include "heed_torch/nn/convolution.h"

#include <ATen/ATen.h>

namespace heed::nn {

ConvolutionImpl::ConvolutionImpl(const ConvolutionOptions& options) : options_(options) {
  const LinearOptions linear{.in = options.in * rows() * options.kernel, .out = options.out, .bias = options.bias};
  map = register_module("map", Linear(linear));
}

Tensor ConvolutionImpl::forward(const Tensor& x) {
  const Tensor weight = map->weight.view({options_.out, options_.in, rows(), options_.kernel});
  return at::conv2d(x, weight, map->bias, of_both(options_.stride, 1), of_both(options_.padding, 0));
}

}  // namespace heed::nn
