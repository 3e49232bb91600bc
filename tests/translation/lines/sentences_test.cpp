#include "heed/translation/lines/sentences.h"

#include <string>

#include <gtest/gtest.h>

namespace heed::translation {
namespace {

using Cut = std::vector<std::string_view>;

TEST(Sentences, EndAtMarks) {
  EXPECT_EQ(sentences("A cat sleeps. A dog barks! Why? \"So.\" He left."),
            (Cut{"A cat sleeps. ", "A dog barks! ", "Why? ", "\"So.\" ", "He left."}));
  EXPECT_EQ(sentences("猫猫。狗狗！猫"), (Cut{"猫猫。", "狗狗！", "猫"}));
}

TEST(Sentences, DoNotEndWithinOne) {
  EXPECT_EQ(sentences("It costs 3.50 euros, e.g. here"), Cut{"It costs 3.50 euros, e.g. here"});
  EXPECT_EQ(sentences("A cat, a dog; a mouse: three"), Cut{"A cat, a dog; a mouse: three"});
}

TEST(Sentences, DoNotEndInsideAWord) {
  EXPECT_EQ(sentences("See http://a.b/c?d=e!f. Then go. "), (Cut{"See http://a.b/c?d=e!f. ", "Then go. "}));
  EXPECT_EQ(sentences("Yahoo!Mail? (No!)"), (Cut{"Yahoo!Mail? ", "(No!)"}));
  EXPECT_EQ(sentences("猫猫!狗狗?猫"), (Cut{"猫猫!", "狗狗?", "猫"})) << "there are no blanks between words";
  EXPECT_EQ(sentences("यह बिल्ली है।वह कुत्ता है।"), (Cut{"यह बिल्ली है।", "वह कुत्ता है।"})) << "a danda is in no word";
}

TEST(Sentences, OfTokenizedTextEndAtMarksThatStandAlone) {
  EXPECT_EQ(sentences("a cat sleeps . a dog barks ! 3 . 5"), (Cut{"a cat sleeps . ", "a dog barks ! ", "3 . ", "5"}));
  EXPECT_EQ(sentences("a cat sleeps ."), Cut{"a cat sleeps ."});
}

TEST(Sentences, JoinedAreTheLine) {
  EXPECT_EQ(sentences(""), Cut{});
  for (const std::string line : {" ", "...", " . . ", "a.b . C.D. ! ", "x . ", ". a", "Ab. Cd . Ef.  Gh?"}) {
    std::string joined;
    for (const std::string_view sentence : sentences(line)) joined += sentence;
    EXPECT_EQ(joined, line);
  }
}

}  // namespace
}  // namespace heed::translation
