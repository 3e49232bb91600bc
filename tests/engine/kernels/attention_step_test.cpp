#include "heed/kernels/attention_step.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "engine/drawn.h"

#include "heed/kernels/vector_code.h"

namespace heed::engine {
namespace {

/// Two heads of the formula, in double precision.
std::vector<double> plain(const kernels::AttentionShape& shape, const float* query, const float* keys,
                          const float* values, const std::vector<int64_t>& places) {
  std::vector<double> context(static_cast<size_t>(shape.heads * shape.d_head));
  for (int64_t head = 0; head < shape.heads; ++head) {
    std::vector<double> weights;
    double sum = 0;
    for (const int64_t place : places) {
      double score = 0;
      for (int64_t i = head * shape.d_head; i < (head + 1) * shape.d_head; ++i) {
        score += static_cast<double>(query[i]) * static_cast<double>(keys[place + i]);
      }
      weights.push_back(std::exp(score * static_cast<double>(shape.scale)));
      sum += weights.back();
    }
    for (size_t j = 0; j < places.size(); ++j) {
      for (int64_t i = head * shape.d_head; i < (head + 1) * shape.d_head; ++i) {
        context[static_cast<size_t>(i)] += weights[j] / sum * static_cast<double>(values[places[j] + i]);
      }
    }
  }
  return context;
}

TEST(Attend, ReadsTheKeysAndValuesOfItsPlaces) {
  for (const int64_t d_head : {1, 8, 16, 20, 32, 64, 100}) {
    for (const int64_t count : {1, 2, 4, 7, 16, 33}) {
      const kernels::AttentionShape shape{.heads = 2, .d_head = d_head, .scale = 0.5f};
      const int64_t d = 2 * d_head;
      const auto query = drawn(d, 1), memory = drawn(40 * 2 * d, 2);
      std::vector<int64_t> places;
      for (int64_t j = 0; j < count; ++j) places.push_back(7 * j % 40 * 2 * d);  // in an order of their own
      const int64_t row = kernels::padded_to_lanes(count);
      std::vector<float> scores(static_cast<size_t>(2 * row)), context(static_cast<size_t>(d));
      kernels::attend(shape, query.data(), memory.data(), memory.data() + d, places.data(), count, scores.data(),
                      context.data());
      const auto expected = plain(shape, query.data(), memory.data(), memory.data() + d, places);
      for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(context[i], expected[i], 1e-5) << d_head << ' ' << count;
      double sum = 0;
      for (int64_t j = 0; j < row; ++j) sum += static_cast<double>(scores[static_cast<size_t>(row + j)]);
      EXPECT_NEAR(sum, 1, 1e-5) << "the weights stay";
    }
  }
}

TEST(AdditiveScores, AreThoseOfTheFormula) {
  for (const int64_t d : {1, 16, 21}) {
    const auto query = drawn(d, 1), vector = drawn(d, 2), keys = drawn(9 * d, 3), added = drawn(9 * (d + 3), 4);
    std::vector<int64_t> places;
    for (int64_t j = 0; j < 9; ++j) places.push_back(4 * j % 9 * d);
    for (const bool adds : {false, true}) {
      std::vector<float> scores(9);
      kernels::additive_scores({.query = query.data(),
                                .vector = vector.data(),
                                .d = d,
                                .added = adds ? added.data() : nullptr,
                                .distance = d + 3},
                               keys.data(), places.data(), 9, scores.data());
      for (size_t j = 0; j < 9; ++j) {
        double expected = 0;
        for (int64_t i = 0; i < d; ++i) {
          const auto at = static_cast<size_t>(i);
          double sum = static_cast<double>(query[at]) + static_cast<double>(keys[static_cast<size_t>(places[j] + i)]);
          if (adds) sum += static_cast<double>(added[j * static_cast<size_t>(d + 3) + at]);
          expected += static_cast<double>(vector[at]) * std::tanh(sum);
        }
        EXPECT_NEAR(scores[j], expected, 1e-5);
      }
    }
  }
}

TEST(SoftmaxScores, WhatIsTooSmallToCountIsZero) {
  std::vector<float> scores(16, 5);
  scores[0] = 100;
  scores[1] = 99;
  kernels::softmax_scores(scores.data(), 3);
  EXPECT_NEAR(scores[0] / scores[1], std::exp(1.0), 1e-5);
  EXPECT_NEAR(scores[0] + scores[1], 1, 1e-6);
  EXPECT_EQ(scores[2], 0);
}

TEST(Attend, WithoutPlacesTheContextIsZero) {
  const std::vector<float> query{1, 2};
  std::vector<float> context{5, 5}, scores(1);
  kernels::attend({.heads = 1, .d_head = 2, .scale = 1}, query.data(), query.data(), query.data(), nullptr, 0,
                  scores.data(), context.data());
  EXPECT_EQ(context, (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace heed::engine
