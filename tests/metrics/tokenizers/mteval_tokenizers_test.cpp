#include "heed/metrics/tokenizers/mteval_tokenizers.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "metrics/tokens.h"

namespace heed::metrics {
namespace {

TEST(Tokenizer13a, KeepsPointsBetweenDigitsAndSplitsAHyphenAfterOne) {
  EXPECT_EQ(tokens(Tokenizer13a(), "1,000.5 - 3.x 10-12 a-b"),
            (Texts{"1,000.5", "-", "3", ".", "x", "10", "-", "12", "a-b"}));
  EXPECT_EQ(tokens(Tokenizer13a(), "in 1999."), (Texts{"in", "1999", "."}));
  EXPECT_EQ(tokens(Tokenizer13a(), "a/b it's"), (Texts{"a", "/", "b", "it's"}));
}

TEST(Tokenizer13a, UndoesEntitiesOneAfterTheOther) {
  EXPECT_EQ(tokens(Tokenizer13a(), "&amp;lt; &apos;"), (Texts{"<", "&", "apos", ";"}));
  EXPECT_EQ(tokens(Tokenizer13a(), "a<skipped>b c-\nd\ne"), (Texts{"ab", "cd", "e"}));
}

TEST(InternationalTokenizer, SplitsPunctuationAndSymbolsOfAllScriptsButNotAtNumbers) {
  const InternationalTokenizer intl;
  EXPECT_EQ(tokens(intl, "«Ja» 1.5€ x。y, z"), (Texts{"«", "Ja", "»", "1.5", "€", "x", "。", "y", ",", "z"}));
  EXPECT_EQ(tokens(intl, "in 1999."), (Texts{"in", "1999."}));
  EXPECT_EQ(tokens(intl, "٣٫٤ Ⅷ.½ &amp;"), (Texts{"٣٫٤", "Ⅷ.½", "&", "amp", ";"}));
}

TEST(ChineseTokenizer, SplitsTheCharactersThatSacreBleuComparesTo) {
  const ChineseTokenizer zh;
  EXPECT_EQ(tokens(zh, "你好abc。ひら…"), (Texts{"你", "好", "abc", "。", "ひら", "…"}));
  EXPECT_EQ(tokens(zh, "a\U00020000b"), (Texts{"a\U00020000b"}));
  // Without a space around the line, its first and last characters have no neighbor.
  EXPECT_EQ(tokens(zh, " .5 a 1999."), (Texts{".5", "a", "1999."}));
  EXPECT_EQ(tokens(zh, "&lt;"), (Texts{"&", "lt", ";"}));
}

TEST(CharacterTokenizer, EveryCharacterIsAToken) {
  EXPECT_EQ(tokens(CharacterTokenizer(), "aé \U0001F600"), (Texts{"a", "é", "\U0001F600"}));
}

TEST(NoTokenizer, OnlyWhiteSpaceSeparates) { EXPECT_EQ(tokens(NoTokenizer(), "a.b\u00a0c"), (Texts{"a.b", "c"})); }

TEST(MakeTokenizer, AModelMustHaveAnEffect) {
  EXPECT_THROW(make_tokenizer(BleuTokenizer::Zh, "model"), ConfigError);
  EXPECT_THROW(make_tokenizer(BleuTokenizer::Flores200), ConfigError);
  EXPECT_THROW(make_tokenizer(BleuTokenizer::Spm, "/nonexistent"), ConfigError);
}

}  // namespace
}  // namespace heed::metrics
