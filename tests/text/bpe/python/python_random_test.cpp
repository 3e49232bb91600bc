#include "heed/text/bpe/python/python_random.h"

#include <gtest/gtest.h>

namespace heed::text {
namespace {

// python -c "import random; random.seed(N); print(random.random(), random.random())"
TEST(PythonRandom, SeedsAsPythonDoes) {
  const auto expect = [](int64_t seed, double first, double second) {
    PythonRandom random(seed);
    EXPECT_EQ(random.uniform(), first) << seed;
    EXPECT_EQ(random.uniform(), second) << seed;
  };
  expect(0, 0.8444218515250481, 0.7579544029403025);
  expect(1, 0.13436424411240122, 0.8474337369372327);
  expect(-1, 0.13436424411240122, 0.8474337369372327);
  expect(12345, 0.41661987254534116, 0.010169169457068361);
  expect(4294967295, 0.6353574441341173, 0.20319993954407756);
  expect(4294967296, 0.11299430095636409, 0.41782886486292836);
  expect(1099511627783, 0.6137037779936511, 0.8149162973309487);
  expect(INT64_MAX, 0.3166448820870279, 0.631259308253863);
  expect(INT64_MIN, 0.5534639983914199, 0.9406144709090462);
}

TEST(PythonRandom, ThousandthNumber) {
  PythonRandom random(12345);
  double last = 0;
  for (int i = 0; i < 1000; ++i) last = random.uniform();
  EXPECT_EQ(last, 0.9766427630034175);
}

}  // namespace
}  // namespace heed::text
