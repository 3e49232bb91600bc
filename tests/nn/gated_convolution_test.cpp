#include "heed_torch/nn/gated_convolution.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "nn/values.h"

namespace heed::nn {
namespace {

GatedConvolution made(int64_t kernel, bool causal) {
  GatedConvolution layer(GatedConvolutionOptions{.d_model = 3, .kernel = kernel, .causal = causal});
  fill_normal(*layer, 5);
  return layer;
}

TEST(GatedConvolution, IsLibTorchsConvolutionWithAGatedLinearUnit) {
  const Tensor x = random({2, 7, 3}, 3);
  for (const bool causal : {false, true}) {
    for (const int64_t kernel : {1, 3, 5}) {
      const GatedConvolution layer = made(kernel, causal);
      const Tensor weight = layer->map->weight.view({6, kernel, 3}).transpose(1, 2);  // [out, in, kernel]
      const int64_t before = causal ? kernel - 1 : kernel / 2;
      const Tensor padded = at::constant_pad_nd(x.transpose(1, 2), {before, kernel - 1 - before});
      const Tensor expected = at::glu(at::conv1d(padded, weight, layer->map->bias).transpose(1, 2), -1);
      EXPECT_LT(largest_difference(GatedConvolution(layer)->forward(x), expected), 1e-5) << kernel << causal;
    }
  }
}

TEST(GatedConvolution, StepsGiveWhatForwardGives) {
  const Tensor x = random({2, 7, 3}, 3);
  GatedConvolution layer = made(4, /*causal=*/true);
  Tensor past = at::zeros({2, 1, 3, 3});
  std::vector<Tensor> steps;
  for (int64_t t = 0; t < 7; ++t) steps.push_back(layer->step(x.narrow(1, t, 1), past));
  EXPECT_LT(largest_difference(at::cat(steps, 1), layer->forward(x)), 1e-5);
}

TEST(GatedConvolution, ACenteredKernelIsOdd) { EXPECT_THROW(made(4, /*causal=*/false), c10::Error); }

}  // namespace
}  // namespace heed::nn
