#include "heed/text/character_tokenizer.h"

#include <gtest/gtest.h>

namespace heed::text {
namespace {

TEST(CharacterTokenizer, KeepsEveryCharacter) {
  const CharacterTokenizer tokenizer({" ", "a", "é", "\t", "\U0001F600", "\u2581"});
  const std::string line = " a  é\t\U0001F600\u2581a ";
  EXPECT_EQ(tokenizer.encode(line).size(), 10u);
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(line)), line);
  EXPECT_EQ(tokenizer.encode(""), Ids{});
  EXPECT_EQ(tokenizer.piece(4), "\u2581");
  EXPECT_EQ(tokenizer.piece(9), "U+2581") << "no two pieces are equal";
}

TEST(CharacterTokenizer, UnknownCharactersShowAndSpecialIdsVanish) {
  const CharacterTokenizer tokenizer({"a", " "});
  EXPECT_EQ(tokenizer.encode("ab"), (Ids{4, kUnk}));
  EXPECT_EQ(tokenizer.decode(Ids{kBos, 4, kUnk, kEos, kPad}), "a\u2047");
  EXPECT_EQ(tokenizer.piece(5), "\u2581");
  EXPECT_EQ(tokenizer.words(tokenizer.encode("aa ba")), (std::vector<int64_t>{0, 0, 1, 1, 1}));
}

TEST(CharacterTokenizer, WordsOfALineAreThoseBetweenWhiteSpaceKnownOrNot) {
  const CharacterTokenizer tokenizer({"a", " "});
  const LineWords words = tokenizer.line_words("ab\ta \u732b");
  EXPECT_EQ(words.words, (std::vector<std::string>{"ab", "a", "\u732b"}));
  EXPECT_EQ(words.of_id, (std::vector<int64_t>{0, 0, 1, 1, 2, 2}));
}

}  // namespace
}  // namespace heed::text
