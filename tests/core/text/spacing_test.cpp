#include "heed/core/text/spacing.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(BlankBetween, SentencesOfScriptsWithBlanks) {
  for (const std::string_view left :
       {"A cat.", "Кот.", "قطة.", "बिल्ली।", "고양이.", "He said \"a cat.\"", "(A cat.)"}) {
    for (const std::string_view right : {"A dog.", "Пёс.", "كلب", "कुत्ता।", "개.", "\"A dog.\"", "(A dog.)", "5 dogs"}) {
      EXPECT_TRUE(blank_between(left, right)) << left << "|" << right;
    }
  }
}

TEST(BlankBetween, NotOfChineseAndJapanese) {
  for (const std::string_view left :
       {"猫睡觉。", "ネコです。", "ねこー", "猫睡觉.", "猫睡觉!", "猫睡觉」", "猫（3）", "ﾈｺ｡"}) {
    for (const std::string_view right :
         {"狗叫。", "イヌです。", "いぬ", "「狗叫」", "\"狗叫\"", "(狗叫)", "3只狗", "ｲﾇ"}) {
      EXPECT_FALSE(blank_between(left, right)) << left << "|" << right;
    }
  }
}

TEST(BlankBetween, SentencesOfThaiAndItsNeighborsThoughWordsHaveNone) {
  EXPECT_TRUE(blank_between("แมวนอน", "หมาเห่า"));
  EXPECT_TRUE(blank_between("ແມວນອນ", "ໝາເຫົ່າ"));
  EXPECT_TRUE(blank_between("ឆ្មាដេក។", "ឆ្កែព្រុស។"));
  EXPECT_TRUE(blank_between("ကြောင်အိပ်သည်။", "ခွေးဟောင်သည်။"));
}

TEST(BlankBetween, EastAsianPunctuationHasItsOwnSpace) {
  EXPECT_FALSE(blank_between("他用Linux。", "Windows很慢"));
  EXPECT_FALSE(blank_between("他用Linux", "「Windows」"));
  EXPECT_FALSE(blank_between("고양이。", "개。"));
}

TEST(BlankBetween, WhereScriptsMeet) {
  EXPECT_TRUE(blank_between("He sleeps.", "猫 is a word."));
  EXPECT_TRUE(blank_between("他用Linux.", "她也用"));
}

TEST(BlankBetween, TextWithoutLettersTakesThatOfTheOther) {
  EXPECT_FALSE(blank_between("3:0!", "猫赢了"));
  EXPECT_FALSE(blank_between("猫赢了", "3:0!"));
  EXPECT_TRUE(blank_between("3:0!", "The cats win"));
  EXPECT_TRUE(blank_between("The cats win", "3:0!"));
  EXPECT_TRUE(blank_between("3:0", "4:0"));
}

TEST(BlankBetween, NoSecondOne) {
  EXPECT_FALSE(blank_between("", "A dog."));
  EXPECT_FALSE(blank_between("A cat.", ""));
  EXPECT_FALSE(blank_between("A cat. ", "A dog."));
  EXPECT_FALSE(blank_between("A cat.", "\tA dog."));
  EXPECT_FALSE(blank_between("猫。\u3000", "A dog."));
}

TEST(WordEndsBetween, PartsOfScriptsWithoutBlanks) {
  EXPECT_TRUE(word_ends_between("红房子。", "狗喜欢"));
  EXPECT_TRUE(word_ends_between("红房子", "狗喜欢"));
  EXPECT_TRUE(word_ends_between("红房子!", "Linux"));
  EXPECT_TRUE(word_ends_between("Linux", "很好"));
  EXPECT_TRUE(word_ends_between("「Linux」", "Windows"));
  EXPECT_TRUE(word_ends_between("แมว", "นอน"));
}

TEST(WordEndsBetween, NotInsideAWordOfAScriptWithBlanks) {
  EXPECT_FALSE(word_ends_between("unbeliev", "able"));
  EXPECT_FALSE(word_ends_between("http://a.b/c?", "d=1"));
  EXPECT_FALSE(word_ends_between("고양", "이"));
  EXPECT_FALSE(word_ends_between("3.1", "4159"));
  EXPECT_FALSE(word_ends_between("猫12", "34")) << "a number is cut";
}

}  // namespace
}  // namespace heed
