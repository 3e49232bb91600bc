#include "heed_torch/nn/random/random_scope.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <thread>

namespace heed::nn {
namespace {

uint64_t first_key(uint64_t seed, uint64_t update, uint64_t part) {
  const RandomScope scope(seed, update, part);
  return next_draw_key();
}

TEST(RandomScope, DrawWithoutScopeIsAnError) { EXPECT_THROW(next_draw_key(), std::logic_error); }

TEST(RandomScope, KeysDependOnSeedUpdatePartAndDraw) {
  const RandomScope scope(1, 2, 3);
  const std::set<uint64_t> keys{next_draw_key(),    next_draw_key(),    next_draw_key(),   first_key(2, 2, 3),
                                first_key(1, 3, 3), first_key(1, 2, 4), first_key(1, 3, 2)};
  EXPECT_EQ(keys.size(), 7U);
  EXPECT_TRUE(keys.contains(first_key(1, 2, 3)));
}

TEST(RandomScope, InnerScopeDoesNotDisturbTheOuter) {
  uint64_t first, second;
  {
    const RandomScope scope(5, 0, 0);
    first = next_draw_key();
    second = next_draw_key();
  }
  const RandomScope scope(5, 0, 0);
  EXPECT_EQ(next_draw_key(), first);
  {
    const RandomScope inner(5, 0, 0);
    EXPECT_EQ(next_draw_key(), first);
    EXPECT_EQ(next_draw_key(), second);
  }
  EXPECT_EQ(next_draw_key(), second);
}

TEST(RandomScope, ThreadsHaveScopesOfTheirOwn) {
  const RandomScope scope(1, 0, 0);
  std::thread([] {
    EXPECT_THROW(next_draw_key(), std::logic_error);
    const RandomScope other(1, 0, 1);
    next_draw_key();
  }).join();
  EXPECT_EQ(next_draw_key(), first_key(1, 0, 0));
}

}  // namespace
}  // namespace heed::nn
