#include "heed/vectors/word_vectors.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed::vectors {
namespace {

const WordVectors& table() {
  static const WordVectors made({"east", "north", "northeast", "west", "nowhere"}, 2, {2, 0, 0, 3, 1, 1, -1, 0, 0, 0});
  return made;
}

TEST(Nearest, IsByCosineNotByLength) {
  const auto found = nearest(table(), table().vector(0), 10, {0});
  ASSERT_EQ(found.size(), 3u) << "without the word itself and the zero vector";
  EXPECT_EQ(found[0].word, "northeast");
  EXPECT_NEAR(found[0].cosine, std::sqrt(0.5), 1e-6);
  EXPECT_EQ(found[1].word, "north");
  EXPECT_EQ(found[2].word, "west");
  EXPECT_NEAR(found[2].cosine, -1, 1e-6);
  EXPECT_EQ(nearest(table(), table().vector(0), 1).front().word, "east");
}

// 5 / (sqrt(2) sqrt(13)), whatever the size of the numbers.
TEST(Nearest, OfVeryLargeAndVerySmallNumbers) {
  for (const float size : {1e30F, 1e-25F}) {
    const WordVectors vectors({"a", "b"}, 2, {3 * size, 3 * size, 3 * size, 2 * size});
    const auto found = nearest(vectors, vectors.vector(0), 1, {0});
    ASSERT_EQ(found.size(), 1u) << size;
    EXPECT_NEAR(found[0].cosine, 5 / std::sqrt(26), 1e-6) << size;
  }
}

TEST(Nearest, AnAnalogyAddsTheDifferenceOfUnitVectors) {
  EXPECT_EQ(analogy(table(), 0, 1, 3), (std::vector<float>{-2, 1}));  // north - east + west
}

}  // namespace
}  // namespace heed::vectors
