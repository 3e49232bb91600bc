#include "heed/metrics/bleu/bleu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;

std::vector<double> statistics(const Bleu& bleu, const std::string& hypothesis, const Texts& references) {
  return bleu.extract(Texts{hypothesis}, References::from_lines({references})).sums();
}

TEST(Bleu, EqualsAHandComputedScore) {
  // 5 of 6 words, 3 of 5 bigrams, 2 of 4 trigrams, 1 of 3 four-grams; one word short of 7.
  const Bleu bleu({.tokenize = BleuTokenizer::None});
  const std::vector<double> sums = statistics(bleu, "the cat sat on a mat", {"the cat sat on the red mat"});
  EXPECT_EQ(sums, (std::vector<double>{6, 7, 5, 3, 2, 1, 6, 5, 4, 3}));
  const double expected = 100 * std::exp(1 - 7.0 / 6) * std::pow(5.0 / 6 * 3 / 5 * 2 / 4 * 1 / 3, 0.25);
  EXPECT_NEAR(bleu.score(sums).value, expected, 1e-12);
}

TEST(Bleu, TakesTheShorterOfTwoReferencesAsClose) {
  const Bleu bleu;
  EXPECT_EQ(statistics(bleu, "a b c", {"a b c d", "a b"})[1], 2);
  EXPECT_EQ(statistics(bleu, "a b c", {"a b", "a b c d"})[1], 2);
  EXPECT_EQ(statistics(bleu, "a b c", {"", "a b c d e"})[1], 5);
}

TEST(Bleu, WithoutAMatchTheScoreIsZeroWhateverTheSmoothing) {
  using Smoothing = decltype(BleuOptions::smooth);
  for (const auto& smooth : std::vector<Smoothing>{ExpSmoothing{}, FloorSmoothing{}, AddKSmoothing{}}) {
    EXPECT_EQ(Bleu({.smooth = smooth}).sentence_score("a b c d e", Texts{"v w x y z"}).value, 0);
  }
}

TEST(Bleu, OrdersThatAShortHypothesisLacksCountUnlessEffectiveOrderIsOn) {
  EXPECT_EQ(Bleu().sentence_score("a b", Texts{"a b"}).value, 0);
  EXPECT_NEAR(Bleu({.effective_order = true}).sentence_score("a b", Texts{"a b"}).value, 100, 1e-12);
  EXPECT_NEAR(Bleu({.smooth = AddKSmoothing{}}).sentence_score("a b", Texts{"a b"}).value, 100, 1e-12);
}

TEST(Bleu, ASmoothingValueThatIsNoNumberShows) {
  const Bleu bleu({.smooth = FloorSmoothing{.value = std::nan("")}});
  EXPECT_TRUE(std::isnan(bleu.sentence_score("a b", Texts{"a c"}).value));
}

/// sacreBLEU stops there, at the logarithm.
TEST(Bleu, ANegativePrecisionIsAnError) {
  const auto problem = [](const BleuOptions& options, const std::string& hypothesis) {
    return testing::message_of<Error>([&] { Bleu(options).sentence_score(hypothesis, Texts{"a b c d e"}); });
  };
  const std::string start = "the smoothing value of BLEU makes a precision negative, ";
  EXPECT_EQ(problem({.smooth = FloorSmoothing{-1}}, "a b x y"), start + "-50, which has no logarithm");
  EXPECT_EQ(problem({.smooth = AddKSmoothing{-1.5}}, "a b x y"), start + "-33.33, which has no logarithm");
  EXPECT_EQ(problem({.smooth = FloorSmoothing{-1}}, "a b c d e"), "nothing was thrown") << "no precision is smoothed";
  EXPECT_GT(Bleu({.smooth = AddKSmoothing{-9}}).sentence_score("a b c d x", Texts{"a b c d e"}).value, 0)
      << "both counts are negative";
}

TEST(Bleu, ASmoothingValueThatIsNoNumberHasNoSign) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  for (const double value : {std::nan(""), kInfinite, -kInfinite}) {
    const Bleu bleu({.smooth = AddKSmoothing{value}});
    const auto sums = statistics(bleu, "a b x y", {"a b c d e"});
    EXPECT_EQ(bleu.details(sums).verbose().substr(0, 17), "50.0/nan/nan/nan ") << value;
  }
}

TEST(Bleu, LowercaseAndWhiteSpaceAtTheEndsHaveNoEffectOnMatches) {
  EXPECT_EQ(statistics(Bleu({.tokenize = BleuTokenizer::None, .lowercase = true}), " ΑΣ b\u3000", {"ας B"})[2], 2);
}

TEST(Bleu, SignatureNamesEveryChoice) {
  EXPECT_EQ(Bleu().signature().text(), "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0");
  const Bleu other(
      {.tokenize = BleuTokenizer::None, .lowercase = true, .smooth = FloorSmoothing{}, .effective_order = true});
  EXPECT_EQ(other.signature({.references = {}}).text(),
            "nrefs:var|case:lc|eff:yes|tok:none|smooth:floor[0.10]|version:2.6.0");
}

}  // namespace
}  // namespace heed::metrics
