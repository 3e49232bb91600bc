// Values for tests of layers, and their comparison.
#pragma once

#include <cstdint>

#include <torch/torch.h>

namespace heed::nn {

inline double largest_difference(const at::Tensor& found, const at::Tensor& expected) {
  TORCH_CHECK(found.sizes() == expected.sizes(), "found ", found.sizes(), ", expected ", expected.sizes());
  return (found - expected).abs().max().item<double>();
}

/// Every parameter from N(0, 1/4) with a generator of its own.
inline void fill_normal(torch::nn::Module& module, uint64_t seed) {
  const at::NoGradGuard no_grad;
  at::Generator generator = at::detail::createCPUGenerator(seed);
  for (at::Tensor& parameter : module.parameters()) parameter.normal_(0, 0.5, generator);
}

inline at::Tensor random(at::IntArrayRef shape, uint64_t seed) {
  return at::randn(shape, at::detail::createCPUGenerator(seed));
}

}  // namespace heed::nn
