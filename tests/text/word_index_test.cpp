#include "heed/text/word_index.h"

#include <gtest/gtest.h>

namespace heed::text {
namespace {

using Words = std::vector<int64_t>;

TEST(WordIndex, PiecesOfAWordShareItsIndex) {
  EXPECT_EQ(word_index({" the", " dog", "s", " bark"}), (Words{0, 1, 1, 2}));
}

TEST(WordIndex, WhiteSpaceBelongsToTheWordAfterIt) {
  EXPECT_EQ(word_index({"a", " ", "b", " ", " ", "c"}), (Words{0, 1, 1, 2, 2, 2}));
}

TEST(WordIndex, EmptyPiecesAndTrailingSpaceHaveNone) {
  EXPECT_EQ(word_index({"", " a", "", "b ", " ", ""}), (Words{-1, 0, -1, 0, -1, -1}));
  EXPECT_EQ(word_index({" ", "\u00a0"}), (Words{-1, -1}));
  EXPECT_EQ(word_index({}), Words{});
}

TEST(WordIndex, APieceOfSeveralWordsCountsForItsFirst) {
  EXPECT_EQ(word_index({"a b", "c d", " e"}), (Words{0, 1, 3}));
}

TEST(WordIndex, BytesOfACharacterMayComeFromSeveralPieces) {
  EXPECT_EQ(word_index({"x ", "\xc3", "\xa9", "y", "\xe3\x80", "\x80", "z"}), (Words{0, 1, 1, 1, 2, 2, 2}));
}

}  // namespace
}  // namespace heed::text
