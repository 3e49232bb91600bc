#include "layers/layers.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace heed::benchmarks {
namespace {

const LayerSettings kSmall{.width = 8, .heads = 2, .tokens = 64, .shortest = 8, .longest = 32, .repetitions = 1};
constexpr size_t kFused = 0, kExplicit = 1, kLstm = 2, kGru = 3, kConvolution = 4, kLibraryLstm = 5, kLibraryGru = 6;

TEST(Layers, AllKeepTheShapeAndBothSelfAttentionsAreTheSameFunction) {
  const std::vector<Layer> layers = make_layers(kSmall);
  ASSERT_EQ(layers.size(), 7U);
  const Tensor x = torch::randn({2, 5, 8});
  for (const Layer& layer : layers) EXPECT_EQ(layer.run(x).sizes(), x.sizes()) << layer.facts.name;
  for (size_t i = 0; i < layers[kFused].parameters.size(); ++i) {
    torch::NoGradGuard guard;
    Tensor(layers[kExplicit].parameters[i]).copy_(layers[kFused].parameters[i]);
  }
  EXPECT_TRUE(at::allclose(layers[kFused].run(x), layers[kExplicit].run(x), 1e-4, 1e-5));
}

TEST(Layers, ProductsPerTokenAreTheSizesOfTheirMaps) {
  const auto map_sizes = [](const Layer& layer) {
    int64_t numbers = 0;
    for (const Tensor& parameter : layer.parameters) numbers += parameter.dim() == 2 ? parameter.numel() : 0;
    return numbers;
  };
  const std::vector<Layer> layers = make_layers(kSmall);
  const int64_t squared = kSmall.width * kSmall.width;
  EXPECT_EQ(layers[kFused].facts.products, "4 d² + 2 n d");
  EXPECT_EQ(map_sizes(layers[kFused]), 4 * squared);
  EXPECT_EQ(layers[kLstm].facts.products, "8 d²");
  EXPECT_EQ(map_sizes(layers[kLstm]), 8 * squared);
  EXPECT_EQ(layers[kGru].facts.products, "6 d²");
  EXPECT_EQ(map_sizes(layers[kGru]), 6 * squared);
  EXPECT_EQ(layers[kConvolution].facts.products, "2 k d²");
  EXPECT_EQ(map_sizes(layers[kConvolution]), 2 * kSmall.kernel * squared);
  EXPECT_EQ(map_sizes(layers[kLibraryLstm]), 8 * squared);
  EXPECT_EQ(map_sizes(layers[kLibraryGru]), 6 * squared);
}

TEST(Layers, MeasuringTimesEveryLayerAtEveryLengthAndCountsTheSameBytesAgain) {
  const std::vector<Layer> layers = make_layers(kSmall);
  int told = 0;
  const auto measured = measure_layers(layers, kSmall, [&](std::string_view) { ++told; });
  EXPECT_EQ(told, 3);
  ASSERT_EQ(measured.size(), layers.size());
  const auto again = measure_layers(layers, kSmall, [](std::string_view) {});
  for (size_t layer = 0; layer < layers.size(); ++layer) {
    ASSERT_EQ(measured[layer].size(), 3U);
    for (size_t length = 0; length < 3; ++length) {
      EXPECT_GT(measured[layer][length].forward.median, 0);
      EXPECT_GT(measured[layer][length].forward_backward.median, 0);
      EXPECT_EQ(measured[layer][length].peak_bytes, again[layer][length].peak_bytes);
    }
    for (const Tensor& parameter : layers[layer].parameters) EXPECT_FALSE(parameter.grad().defined());
  }
  // The weights of 64 queries for 2 heads and 32 keys, in float32.
  EXPECT_GT(measured[kExplicit][2].peak_bytes - measured[kFused][2].peak_bytes, 64 * 2 * 32 * 4);
}

}  // namespace
}  // namespace heed::benchmarks
