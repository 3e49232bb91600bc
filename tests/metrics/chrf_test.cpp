#include "heed/metrics/chrf.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;

std::vector<double> statistics(const ChrfOptions& options, const std::string& hypothesis, const Texts& references) {
  return Chrf(options).extract(Texts{hypothesis}, References::from_lines({references})).sums();
}

TEST(Chrf, EqualsAHandComputedScore) {
  // Characters: abc against abd: 2 of 3; pairs ab bc against ab bd: 1 of 2; precision = recall = 7/12.
  const Chrf chrf({.char_order = 2});
  const std::vector<double> sums = statistics(chrf.options(), "a bc", {"ab d"});
  EXPECT_EQ(sums, (std::vector<double>{3, 3, 2, 2, 2, 1}));
  EXPECT_NEAR(chrf.score(sums).value, 100 * 7.0 / 12, 1e-12);
}

TEST(Chrf, CountsCodePointsNotBytes) {
  EXPECT_EQ(statistics({.char_order = 1}, "é\U0001F600", {"ée"}), (std::vector<double>{2, 2, 1}));
}

TEST(Chrf, WhiteSpaceCountsOnlyOnRequest) {
  EXPECT_EQ(statistics({.char_order = 1}, "a \u3000b", {"ab"}), (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(statistics({.char_order = 1, .whitespace = true}, "a \u3000b", {"a b"}), (std::vector<double>{4, 3, 3}));
}

TEST(Chrf, SplitsOnePunctuationCharacterOffAWord) {
  // (hi) is "(hi" and ")", so "hi" does not match, and neither do the pairs; a lone character stays.
  EXPECT_EQ(statistics({.char_order = 0, .word_order = 2}, "(hi) , x", {"hi ) , x"}),
            (std::vector<double>{4, 4, 3, 3, 3, 2}));
  EXPECT_EQ(statistics({.char_order = 0, .word_order = 1}, "(hi", {"( hi"}), (std::vector<double>{2, 2, 2}));
  for (const char mark : std::string_view("!/:@[`{~")) {  // the ends of ASCII's punctuation
    EXPECT_EQ(statistics({.char_order = 0, .word_order = 1}, std::string("hi") + mark, {std::string("hi ") + mark}),
              (std::vector<double>{2, 2, 2}))
        << mark;
  }
}

TEST(Chrf, NgramsOfAnOrderThatTheReferenceLacksDoNotCount) {
  EXPECT_EQ(statistics({.char_order = 2}, "abc", {"a"}), (std::vector<double>{3, 1, 1, 0, 0, 0}));
}

TEST(Chrf, TakesTheReferenceWithTheBestScoreAndTheFirstOfEquals) {
  EXPECT_EQ(statistics({.char_order = 1}, "abc", {"xyz", "abx", "abc"}), (std::vector<double>{3, 3, 3}));
  EXPECT_EQ(statistics({.char_order = 1}, "abc", {"x", "xyz"}), (std::vector<double>{3, 1, 0}));
}

TEST(Chrf, EmptyTextsScoreZero) {
  EXPECT_EQ(Chrf().sentence_score("", Texts{"a"}).value, 0);
  EXPECT_EQ(Chrf().sentence_score("", Texts{""}).value, 0);
  EXPECT_GT(Chrf({.eps_smoothing = true}).sentence_score("", Texts{""}).value, 0);
}

TEST(Chrf, NameAndSignatureSayTheOptions) {
  EXPECT_EQ(Chrf().name(), "chrF2");
  EXPECT_EQ(Chrf({.word_order = 2, .beta = 3}).name(), "chrF3++");
  EXPECT_EQ(Chrf().signature().text(), "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0");
  const Chrf other({.char_order = 4, .word_order = 1, .lowercase = true, .whitespace = true, .eps_smoothing = true});
  EXPECT_EQ(other.signature().short_text(), "#:1|c:lc|e:no|nc:4|nw:1|s:yes|v:2.6.0");
}

TEST(Chrf, RefusesToCountNothing) { EXPECT_THROW(Chrf({.char_order = 0}), ConfigError); }

}  // namespace
}  // namespace heed::metrics
