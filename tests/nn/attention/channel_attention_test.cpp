// Channel attention: values by hand, and padding.
#include "heed_torch/nn/attention/channel_attention.h"

#include <gtest/gtest.h>

#include <cmath>

#include <torch/torch.h>

#include "values.h"

namespace heed::nn {
namespace {

const double kLog3 = std::log(3);  // sigmoid(ln 3) = 3/4

using Attention = std::shared_ptr<ChannelAttention>;

void set(const Attention& attention, const std::string& name, const std::vector<double>& values) {
  const at::NoGradGuard no_grad;
  Tensor parameter = attention->named_parameters()[name];
  parameter.copy_(torch::tensor(values).view(parameter.sizes()));
}

/// Two feature maps over a sequence of two places, and one that is padding: means 2 and 2, maxima 3 and 4.
Tensor two_maps() { return torch::tensor({{1.0, 3.0, 0.0}, {0.0, 4.0, 0.0}}).view({1, 2, 1, 3}); }
Tensor two_places() { return torch::tensor({true, true, false}).view({1, 1, 1, 3}); }

void expect_values(const Tensor& found, const std::vector<double>& expected) {
  EXPECT_LT(largest_difference(found.flatten(), torch::tensor(expected)), 1e-6) << found;
}

TEST(ChannelAttention, OfSqueezeAndExcitationWeightsEachMapByTheMeans) {
  const auto attention = make_channel_attention(SqueezeExcitation{.network = {.reduction = 2}}, 2, false);
  set(attention, "reduce.weight", {1, -0.5});  // 2 - 1
  set(attention, "expand.weight", {kLog3, -kLog3});
  const ChannelAttended attended = attention->forward(two_maps(), two_places());
  expect_values(attended.weights.channels, {0.75, 0.25});
  expect_values(attended.maps, {0.75, 2.25, 0, 0, 1, 0});
  EXPECT_FALSE(attended.weights.places.defined());
  set(attention, "reduce.weight", {-1, 0.5});  // ReLU makes it 0
  expect_values(attention->forward(two_maps(), two_places()).weights.channels, {0.5, 0.5});
  EXPECT_EQ(attention->parameters().size(), 2) << "no biases";
}

TEST(ChannelAttention, OfCbamWeightsEachMapAndThenEachPlace) {
  const auto attention = make_channel_attention(Cbam{.network = {.reduction = 2}}, 2, false);
  set(attention, "reduce.weight", {1, -0.5});  // 2 - 1 of the means, 3 - 2 of the maxima
  set(attention, "expand.weight", {kLog3 / 2, -kLog3 / 2});
  std::vector<double> kernel(2 * 7, 0);
  kernel[3] = kLog3 / 1.625;     // the mean at the place itself: 0.375 and 1.625
  kernel[7 + 4] = kLog3 / 2.25;  // the maximum at its right neighbor: 2.25 and padding
  set(attention, "spatial.map.weight", kernel);
  const ChannelAttended attended = attention->forward(two_maps(), two_places());
  expect_values(attended.weights.channels, {0.75, 0.25});
  const double first = 1 / (1 + std::pow(3, -0.375 / 1.625 - 1));
  expect_values(attended.weights.places.slice(2, 0, 2), {first, 0.75});
  expect_values(attended.maps, {0.75 * first, 0.75 * 2.25, 0, 0, 0.75, 0});
  EXPECT_EQ(attention->parameters().size(), 3) << "no biases";
}

/// Maps that may be negative, whose maximum over real places is below the zeros of the padding.
TEST(ChannelAttention, SeesNoPadding) {
  for (const bool grid : {false, true}) {
    for (const ChannelAttentionOptions& options :
         {ChannelAttentionOptions(SqueezeExcitation{.network = {.reduction = 2}}),
          ChannelAttentionOptions(Cbam{.network = {.reduction = 2}})}) {
      const auto attention = make_channel_attention(options, 4, grid);
      fill_normal(*attention, 3);
      const int64_t rows = grid ? 3 : 1;
      const Tensor alone = random({1, 4, rows, 5}, 7) - 2;
      const Tensor padded = torch::constant_pad_nd(alone, {0, 4, 0, grid ? 2 : 0});
      const Tensor real = torch::constant_pad_nd(torch::ones({1, 1, rows, 5}), {0, 4, 0, grid ? 2 : 0}).to(at::kBool);
      const auto expected = attention->forward(alone, torch::ones({1, 1, rows, 5}, at::kBool));
      const auto found = attention->forward(padded, real);
      EXPECT_LT(largest_difference(found.weights.channels, expected.weights.channels), 1e-6);
      EXPECT_LT(largest_difference(found.maps.slice(2, 0, rows).slice(3, 0, 5), expected.maps), 1e-6);
      EXPECT_TRUE(found.maps.masked_select(real.bitwise_not()).eq(0).all().item<bool>()) << "padding stays zero";
    }
  }
}

TEST(ChannelAttention, GradientsAreThoseOfFiniteDifferences) {
  const auto attention = make_channel_attention(Cbam{.network = {.reduction = 2}}, 4, true);
  fill_normal(*attention, 5);
  attention->to(at::kDouble);
  std::vector<Tensor> inputs = attention->parameters();
  inputs.push_back(random({2, 4, 2, 3}, 9).to(at::kDouble).requires_grad_());
  const Tensor real = torch::ones({2, 1, 2, 3}, at::kBool);
  const Tensor factors = random({2, 4, 2, 3}, 11).to(at::kDouble);
  expect_gradients_of_finite_differences(
      inputs, [&] { return (attention->forward(inputs.back(), real).maps * factors).sum(); });
}

TEST(ChannelAttention, IsNoneWhereNoneIsAskedFor) {
  EXPECT_EQ(make_channel_attention(NoChannelAttention{}, 4, true), nullptr);
}

}  // namespace
}  // namespace heed::nn
