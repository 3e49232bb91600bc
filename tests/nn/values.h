// Values for tests of layers, and their comparison.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>
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

/// loss_of: of the inputs, contiguous doubles that want gradients.
inline void expect_gradients_of_finite_differences(const std::vector<at::Tensor>& inputs,
                                                   const std::function<at::Tensor()>& loss_of) {
  const auto gradients = torch::autograd::grad({loss_of()}, inputs);
  constexpr double kStep = 1e-6;
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < inputs.size(); ++i) {
    at::Tensor flat = inputs[i].view(-1);
    for (int64_t j = 0; j < flat.numel(); ++j) {
      const double value = flat[j].item<double>();
      flat[j] = value + kStep;
      const double above = loss_of().item<double>();
      flat[j] = value - kStep;
      const double below = loss_of().item<double>();
      flat[j] = value;
      EXPECT_NEAR(gradients[i].reshape(-1)[j].item<double>(), (above - below) / (2 * kStep), 1e-7) << i << ": " << j;
    }
  }
}

}  // namespace heed::nn
