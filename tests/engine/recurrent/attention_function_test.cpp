#include "heed/engine/recurrent/attention_function.h"

#include <vector>

#include <gtest/gtest.h>

namespace heed::engine {
namespace {

std::vector<float> chosen(const nn::AttentionFunction& options, std::vector<float> scores) {
  const auto count = scores.size();
  scores.resize(16, 7);
  std::vector<float> sorted;
  choose_positions(options, scores.data(), static_cast<int64_t>(count), sorted);
  scores.resize(count);
  return scores;
}

TEST(Choice, SparsemaxIsTheClosestDistribution) {
  EXPECT_EQ(chosen(nn::SparsemaxAttention{}, {1, 0.5f, -1}), (std::vector<float>{0.75f, 0.25f, 0}));
  EXPECT_EQ(chosen(nn::SparsemaxAttention{}, {3, 1, 2.5f}), (std::vector<float>{0.75f, 0, 0.25f}));
  EXPECT_EQ(chosen(nn::SparsemaxAttention{}, {1000, 0}), (std::vector<float>{1, 0}));
  EXPECT_EQ(chosen(nn::SparsemaxAttention{}, {-4}), (std::vector<float>{1}));
}

TEST(Choice, WhatIsSampledInTrainingIsTheBestPosition) {
  for (const nn::AttentionFunction& options :
       {nn::AttentionFunction{nn::HardAttention{}}, nn::AttentionFunction{nn::GumbelAttention{}}}) {
    EXPECT_EQ(chosen(options, {1, 4, -1, 4}), (std::vector<float>{0, 1, 0, 0}));
  }
}

}  // namespace
}  // namespace heed::engine
