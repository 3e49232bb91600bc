#include "heed/text/word_boundary.h"

#include <gtest/gtest.h>

namespace heed::text {
namespace {

bool boundary(char32_t left, char32_t right) { return is_word_boundary(word_class(left), word_class(right)); }

TEST(WordBoundary, IsNextToSpacesPunctuationAndSymbols) {
  for (const char32_t outside : U" \t\u00A0\u3000.,-'\"()\u2026\u201E+$\uFFFD\u3002") {
    if (outside == 0) continue;
    EXPECT_TRUE(boundary(U'a', outside)) << static_cast<uint32_t>(outside);
    EXPECT_TRUE(boundary(outside, U'a')) << static_cast<uint32_t>(outside);
  }
}

TEST(WordBoundary, IsNotBetweenLettersDigitsAndTheirMarks) {
  EXPECT_FALSE(boundary(U'a', U'b'));
  EXPECT_FALSE(boundary(U'a', U'1'));
  EXPECT_FALSE(boundary(U'1', U'\u0416'));
  EXPECT_FALSE(boundary(U'e', U'\u0301')) << "a combining accent";
}

TEST(WordBoundary, IsBetweenAnyCharactersOfScriptsWithoutSpaces) {
  for (const char32_t unspaced : {U'\u6771', U'\u304B', U'\u0E01', U'\u1780', U'\uC11C', U'\uFF76'}) {
    EXPECT_TRUE(boundary(unspaced, unspaced)) << static_cast<uint32_t>(unspaced);
    EXPECT_TRUE(boundary(U'a', unspaced)) << static_cast<uint32_t>(unspaced);
    EXPECT_TRUE(boundary(unspaced, U'a')) << static_cast<uint32_t>(unspaced);
  }
}

TEST(WordBoundary, IsNotBeforeTheirCombiningMarks) {
  EXPECT_FALSE(boundary(U'\u0E01', U'\u0E34')) << "a Thai vowel above its consonant";
  EXPECT_TRUE(boundary(U'\u0E34', U'\u0E01'));
  EXPECT_FALSE(boundary(U'\u304B', U'\u3099')) << "a Japanese sound mark";
}

TEST(TextCharacters, HaveTheirClasses) {
  const auto characters = text_characters("\u00E4 \u6771!");
  ASSERT_EQ(characters.size(), 4U);
  EXPECT_EQ(characters[0].code, U'\u00E4');
  EXPECT_EQ(characters[0].word_class, WordClass::Letter);
  EXPECT_EQ(characters[1].word_class, WordClass::Space);
  EXPECT_EQ(characters[2].word_class, WordClass::Unspaced);
  EXPECT_EQ(characters[3].word_class, WordClass::Separator);
}

}  // namespace
}  // namespace heed::text
