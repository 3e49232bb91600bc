#include "heed/curation/checks/text_checks.h"

#include <gtest/gtest.h>

#include "heed/core/text/unicode.h"

namespace heed::curation {
namespace {

using Texts = std::vector<std::string>;

bool wrong(const char* text) { return has_wrong_encoding(to_code_points(text)); }
int64_t sentences(const char* text) { return count_sentences(to_code_points(text)); }

TEST(TextChecks, FindMisreadUtf8) {
  EXPECT_TRUE(wrong("Die TÃ¼r ist zu"));
  EXPECT_TRUE(wrong("itâ€™s"));
  EXPECT_TRUE(wrong("ÐŸÑ€Ð¸Ð²ÐµÑ‚"));
  EXPECT_TRUE(wrong("caf\xef\xbf\xbd"));
  for (const char* good :
       {"Die Tür ist zu", "it’s “fine”", "São Paulo, Ângela, Ã", "»Ö« und £5", "Привет", "naïve coöperation"}) {
    EXPECT_FALSE(wrong(good)) << good;
  }
}

TEST(TextChecks, FindControlCharacters) {
  EXPECT_TRUE(has_control_characters(U"a\u0007b"));
  EXPECT_TRUE(has_control_characters(U"a\u0085b"));
  EXPECT_TRUE(has_control_characters(U"\uFFFE"));
  EXPECT_FALSE(has_control_characters(U"a\tb\u200Dc"));
}

TEST(TextChecks, ListMarkup) {
  EXPECT_EQ(markup_of("Press <b class=\"x\">OK</b> &amp; save %s to {0}, ${name} or $name"),
            (Texts{"$name", "${name}", "%s", "&amp;", "</b>", "<b>", "{0}"}));
  EXPECT_EQ(markup_of("100% of 5 < 6 & 7 > 3, {a b}, $5, AT&T;"), Texts{});
  EXPECT_EQ(markup_of("%PRODUCTNAME %1$d <br/> see https://a.org/en."),
            (Texts{"%1$d", "%PRODUCTNAME", "<br/>", "https://"}));
}

TEST(TextChecks, NumbersHaveOneForm) {
  EXPECT_EQ(numbers_of(U"1,000.5 in 2010"), numbers_of(U"2010: 1.000,5"));
  EXPECT_EQ(numbers_of(U"007"), Texts{"7"});
  EXPECT_NE(numbers_of(U"3 cats"), numbers_of(U"4 Katzen"));
}

TEST(TextChecks, CountSentences) {
  EXPECT_EQ(sentences(""), 0);
  EXPECT_EQ(sentences("No end"), 1);
  EXPECT_EQ(sentences("One. Two! Three?"), 3);
  EXPECT_EQ(sentences("Am 3. Mai kam z. B. niemand."), 1);
  EXPECT_EQ(sentences("“Go!” he said."), 1);
  EXPECT_EQ(sentences("一つ。二つ。"), 2);
}

TEST(TextChecks, FindMixedScripts) {
  SideText text;
  text.assign("p\u0430ypal");  // Cyrillic a
  EXPECT_TRUE(mixes_scripts(text));
  text.assign("Москва is Moscow, 5 µm");
  EXPECT_FALSE(mixes_scripts(text));
}

TEST(SideText, WordsAreLowerCaseAndIdeographsApart) {
  SideText text;
  text.assign("Die TÜR, 3-mal 東京 abc");
  std::vector<std::string> words;
  for (const auto word : text.words()) words.push_back(to_utf8(word));
  EXPECT_EQ(words, (Texts{"die", "tür", "3", "mal", "東", "京", "abc"}));
  EXPECT_EQ(text.words_with_letters(), 6);
}

}  // namespace
}  // namespace heed::curation
