#include "heed/engine/forced_attention.h"

#include <gtest/gtest.h>

#include <numeric>

#include "engine/both_backends.h"
#include "heed_torch/translation/forced_attention.h"
#include "support/drawn_sources.h"
#include "support/tiny_models.h"

namespace heed::engine {
namespace {

/// Every layer and head as LibTorch computes it, all positions at once.
text::HeadWeights plain_heads(const BothBackends& both, const text::Ids& source, const text::Ids& target) {
  const translation::ForcedAttention reader(both.model, at::kCPU, {.all_heads = true});
  return reader.read({.ids = source}, target).heads;
}

void expect_near(const text::AlignmentWeights& found, const text::AlignmentWeights& expected) {
  for (size_t row = 0; row < expected.size(); ++row) {
    ASSERT_EQ(found[row].size(), expected[row].size());
    for (size_t j = 0; j < expected[row].size(); ++j) EXPECT_NEAR(found[row][j], expected[row][j], 1e-5);
  }
}

void expect_plain_attention(const models::ArchitectureOptions& options) {
  const BothBackends both(options);
  const auto sources = testing::drawn_sources(5, 1, 9, 36), targets = testing::drawn_sources(5, 1, 11, 36);
  for (size_t i = 0; i < sources.size(); ++i) {
    const AttentionRecord found = read_attention(*both.engine, sources[i], targets[i]);
    const text::HeadWeights expected = plain_heads(both, sources[i], targets[i]);
    ASSERT_EQ(found.cross.size(), expected.size());
    for (size_t layer = 0; layer < expected.size(); ++layer) {
      ASSERT_EQ(found.cross[layer].size(), expected[layer].size());
      for (size_t head = 0; head < expected[layer].size(); ++head) {
        EXPECT_EQ(found.cross[layer][head].size(), targets[i].size() + 1);
        expect_near(found.cross[layer][head], expected[layer][head]);
      }
    }
  }
}

TEST(ForcedAttention, IsThatOfThePlainModel) {
  expect_plain_attention(testing::tiny_transformer());
  expect_plain_attention(testing::tiny_rnn());
}

TEST(ForcedAttention, OfATransformerIsThatToWhatItHasRead) {
  const BothBackends both(testing::tiny_transformer());
  const text::Ids source{5, 6, 7}, target{9, 8, 7, 6};
  const AttentionRecord found = read_attention(*both.engine, source, target);
  const auto expect_sums = [](const text::HeadWeights& layers, size_t rows,
                              const std::function<size_t(size_t)>& columns) {
    ASSERT_FALSE(layers.empty());
    for (const auto& heads : layers) {
      for (const text::AlignmentWeights& head : heads) {
        ASSERT_EQ(head.size(), rows);
        for (size_t i = 0; i < rows; ++i) {
          ASSERT_EQ(head[i].size(), columns(i));
          EXPECT_NEAR(std::accumulate(head[i].begin(), head[i].end(), 0.0), 1, 1e-5);
        }
      }
    }
  };
  expect_sums(found.encoder, 4, [](size_t) { return 4; });
  expect_sums(found.decoder, 5, [](size_t i) { return i + 1; });
  expect_sums(found.cross, 5, [](size_t) { return 4; });
}

TEST(ForcedAttention, IsEmptyWhereThereIsNone) {
  models::ArchitectureOptions language_model = testing::tiny_transformer();
  language_model.encoder.type = models::NoEncoderOptions{};
  const BothBackends both(language_model);
  const AttentionRecord found = read_attention(*both.engine, {}, text::Ids{5, 6});
  EXPECT_TRUE(found.encoder.empty());
  EXPECT_TRUE(found.cross.empty());
  EXPECT_FALSE(found.decoder.empty());
}

}  // namespace
}  // namespace heed::engine
