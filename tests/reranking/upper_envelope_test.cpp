#include "heed/reranking/upper_envelope.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heed/core/random.h"

namespace heed::reranking {
namespace {

TEST(UpperEnvelope, HasTheRaysThatAreHighestSomewhere) {
  // Falling, level and rising; the last is below the others everywhere.
  const std::vector<Ray> rays{{.at_zero = 0, .slope = 1},
                              {.at_zero = 1, .slope = 0},
                              {.at_zero = 0, .slope = -1},
                              {.at_zero = 0.5, .slope = 0}};
  const auto envelope = upper_envelope(rays);
  ASSERT_EQ(envelope.size(), 3U);
  EXPECT_TRUE(std::isinf(envelope[0].begin));
  EXPECT_EQ(envelope[0].ray, 2U);
  EXPECT_EQ(envelope[1].ray, 1U);
  EXPECT_DOUBLE_EQ(envelope[1].begin, -1);
  EXPECT_EQ(envelope[2].ray, 0U);
  EXPECT_DOUBLE_EQ(envelope[2].begin, 1);
}

TEST(UpperEnvelope, OfEqualRaysTakesTheFirst) {
  const std::vector<Ray> rays{{.at_zero = 0, .slope = 0}, {.at_zero = 1, .slope = 0}, {.at_zero = 1, .slope = 0}};
  const auto envelope = upper_envelope(rays);
  ASSERT_EQ(envelope.size(), 1U);
  EXPECT_EQ(envelope[0].ray, 1U);
}

TEST(UpperEnvelope, IsTheHighestRayAtEveryStep) {
  RandomStream random(7, Purpose::Test);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Ray> rays(1 + random.below(8));
    // Few different numbers, so that many cross in one point.
    for (Ray& ray : rays) {
      ray = {.at_zero = static_cast<double>(random.below(7)), .slope = static_cast<double>(random.below(5))};
    }
    const auto envelope = upper_envelope(rays);
    for (double step = -10.37; step < 10; step += 0.5) {
      size_t at = 0;
      while (at + 1 < envelope.size() && envelope[at + 1].begin <= step) ++at;
      double highest = -1e9;
      for (const Ray& ray : rays) highest = std::max(highest, ray.at_zero + step * ray.slope);
      const Ray& found = rays[envelope[at].ray];
      EXPECT_NEAR(found.at_zero + step * found.slope, highest, 1e-9);
    }
  }
}

}  // namespace
}  // namespace heed::reranking
