#include "heed/engine/kernels/attention_step.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "engine/drawn.h"

#include "heed/nn/kernels/vector_code.h"

namespace heed::engine {
namespace {

/// Two heads of the formula, in double precision.
std::vector<double> plain(const AttentionShape& shape, const float* query, const float* keys, const float* values,
                          const std::vector<int64_t>& places) {
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
      const AttentionShape shape{.heads = 2, .d_head = d_head, .scale = 0.5f};
      const int64_t d = 2 * d_head;
      const auto query = drawn(d, 1), memory = drawn(40 * 2 * d, 2);
      std::vector<int64_t> places;
      for (int64_t j = 0; j < count; ++j) places.push_back(7 * j % 40 * 2 * d);  // in an order of their own
      const int64_t row = nn::vector_code::whole_lanes(count);
      std::vector<float> scores(static_cast<size_t>(2 * row)), context(static_cast<size_t>(d));
      attend(shape, query.data(), memory.data(), memory.data() + d, places.data(), count, scores.data(),
             context.data());
      const auto expected = plain(shape, query.data(), memory.data(), memory.data() + d, places);
      for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(context[i], expected[i], 1e-5) << d_head << ' ' << count;
      double sum = 0;
      for (int64_t j = 0; j < row; ++j) sum += static_cast<double>(scores[static_cast<size_t>(row + j)]);
      EXPECT_NEAR(sum, 1, 1e-5) << "the weights stay";
    }
  }
}

TEST(Attend, WithoutPlacesTheContextIsZero) {
  const std::vector<float> query{1, 2};
  std::vector<float> context{5, 5}, scores(1);
  attend({.heads = 1, .d_head = 2, .scale = 1}, query.data(), query.data(), query.data(), nullptr, 0, scores.data(),
         context.data());
  EXPECT_EQ(context, (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace heed::engine
