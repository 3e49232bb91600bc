// The weights of feature maps and places as plain numbers.
#include "heed_torch/translation/channel_weights.h"

#include <gtest/gtest.h>

#include <torch/torch.h>

#include "support/tiny_models.h"

namespace heed::translation {
namespace {

std::shared_ptr<models::Model> model_of(const models::VectorOptions& vectors) {
  models::ArchitectureOptions options = heed::testing::tiny_transformer();
  options.tied_embeddings = models::TiedEmbeddings::None;
  options.vectors = vectors;
  auto model = models::build_model(options, {.source = 0, .target = 5}, 1);
  model->eval();
  return model;
}

models::ConvolvedVectors convolved(const nn::ChannelAttentionOptions& attention) {
  return {.form = {.width = 2, .grid = true, .standardize = false}, .channels = 4, .channel_attention = attention};
}

/// A grid of three rows and two columns.
search::SourceItem item() {
  return {.shape = {.rows = 3, .columns = 2}, .values = {1, -2, 3, 0, 2, 2, -1, 1, 0, 3, -3, 1}};
}

void expect_values(const std::vector<float>& found, const at::Tensor& expected) {
  ASSERT_EQ(std::ssize(found), expected.numel());
  EXPECT_TRUE(torch::equal(torch::tensor(found), expected.flatten()));
}

TEST(ChannelWeights, AreThoseOfEachLayer) {
  const auto model = model_of({convolved(nn::Cbam{.network = {.reduction = 2}})});
  const auto found = channel_weights(*model, item(), at::kCPU);
  const torch::NoGradGuard no_gradient;
  const auto expected = model->encoder->reader().vectors()->channel_weights(
      {torch::tensor(item().values).view({1, 3, 2, 2}), {item().shape}});
  ASSERT_EQ(found.size(), 2);
  for (size_t layer = 0; layer < 2; ++layer) {
    expect_values(found[layer].channels, expected[layer].channels);
    expect_values(found[layer].places, expected[layer].places);
  }
  EXPECT_EQ(found[0].shape, (GridShape{.rows = 2, .columns = 1})) << "a stride of 2";
  EXPECT_EQ(found[1].shape, (GridShape{.rows = 1, .columns = 1}));
}

TEST(ChannelWeights, HavePlacesOnlyWithSpatialAttention) {
  const auto model = model_of({convolved(nn::SqueezeExcitation{.network = {.reduction = 2}})});
  const auto found = channel_weights(*model, item(), at::kCPU);
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].channels.size(), 4);
  EXPECT_TRUE(found[0].places.empty());
  EXPECT_TRUE(channel_weights(*model_of({convolved(nn::NoChannelAttention{})}), item(), at::kCPU).empty());
}

}  // namespace
}  // namespace heed::translation
