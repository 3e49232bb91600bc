#include "heed/text/token_texts.h"

#include <gtest/gtest.h>

#include "heed/core/text/unicode.h"
#include "heed/text/character_tokenizer.h"
#include "heed/text/word_tokenizer.h"

namespace heed::text {
namespace {

std::string written(const TokenTexts& texts, int32_t token) {
  std::u32string codes;
  for (const TextCharacter& character : texts.of(token)) codes += character.code;
  return to_utf8(codes);
}

TEST(TokenTexts, OfUnitsHaveTheSpaceBehindAWord) {
  const TokenTexts texts(WordTokenizer(WordTokenizer::kTokensEnding, {"Ha@@", "us", "!"}, "@@"));
  EXPECT_EQ(texts.size(), 7);
  EXPECT_EQ(written(texts, 4), "Ha");
  EXPECT_EQ(written(texts, 5), "us ");
  EXPECT_EQ(written(texts, kEos), "");
  EXPECT_EQ(written(texts, kUnk), "<unk> ");
  EXPECT_EQ(texts.first_class(4), WordClass::Letter);
  EXPECT_EQ(texts.last_class(5), WordClass::Space);
  EXPECT_EQ(texts.first_class(kPad), std::nullopt);
  EXPECT_EQ(texts.leaving_word_open(), Ids{4});
  EXPECT_EQ(texts.continuing_word(), (Ids{4, 5}));
}

TEST(TokenTexts, OfCharactersAreThese) {
  const TokenTexts texts(CharacterTokenizer({"a", " ", "\u6771"}));
  EXPECT_EQ(written(texts, 5), " ") << "not the mark that shows it";
  EXPECT_EQ(texts.leaving_word_open(), Ids{4});
  EXPECT_EQ(texts.continuing_word(), Ids{4});
}

}  // namespace
}  // namespace heed::text
