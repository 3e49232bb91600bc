#include "heed/metrics/bleu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "support/stored_json.h"

namespace heed::metrics {
namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

BleuOptions options_of(const Json& stored) {
  BleuOptions options;
  options.tokenize = stored.at("tokenize") == "13a" ? BleuTokenizer::V13a : BleuTokenizer::None;
  options.lowercase = stored.at("lowercase");
  options.effective_order = stored.at("effective_order");
  const std::string smooth = stored.at("smooth");
  if (smooth == "floor") options.smooth = FloorSmoothing{stored.at("value")};
  if (smooth == "add-k") options.smooth = AddKSmoothing{stored.at("value")};
  if (smooth == "none") options.smooth = NoSmoothing{};
  return options;
}

void expect_stored_score(const Json& stored) {
  const Bleu bleu(options_of(stored));
  const auto hypotheses = stored.at("hypotheses").get<Texts>();
  const auto references = stored.at("references").get<std::vector<Texts>>();
  const BleuStatistics statistics = bleu.corpus(hypotheses, references);
  const BleuScore score = bleu.score(statistics);
  const auto count = static_cast<int64_t>(references.size());
  EXPECT_EQ(bleu.line(score, count), stored.at("line"));
  EXPECT_EQ(bleu.line(score, count, 4), stored.at("wide_line"));
  EXPECT_NEAR(score.score, stored.at("score").get<double>(), 1e-9);
  EXPECT_NEAR(score.brevity_penalty, stored.at("brevity_penalty").get<double>(), 1e-9);
  EXPECT_NEAR(score.ratio, stored.at("ratio").get<double>(), 1e-9);
  for (size_t n = 0; n < kBleuOrder; ++n) EXPECT_NEAR(score.precisions[n], stored.at("precisions")[n].get<double>(), 1e-9);
  EXPECT_EQ((std::array{statistics.hypothesis_length, statistics.reference_length}), (stored.at("lengths").get<std::array<int64_t, 2>>()));
  if (stored.at("correct").is_null()) return;  // sacreBLEU adds k to its counts
  EXPECT_EQ(statistics.correct, (stored.at("correct").get<std::array<int64_t, kBleuOrder>>()));
  EXPECT_EQ(statistics.total, (stored.at("total").get<std::array<int64_t, kBleuOrder>>()));
}

TEST(Bleu, EqualsSacreBleuOnStoredCorpora) {
  const Json cases = testing::stored_json("metrics/data/bleu.json");
  ASSERT_GT(cases.size(), 300u);
  for (const Json& stored : cases) {
    SCOPED_TRACE(stored.dump().substr(0, 400));
    expect_stored_score(stored);
  }
}

TEST(Bleu, EqualsAHandComputedScore) {
  // 5 of 6 words, 3 of 5 bigrams, 2 of 4 trigrams, 1 of 3 four-grams; one word short of 7.
  const Bleu bleu({.tokenize = BleuTokenizer::None});
  const Texts reference{"the cat sat on the red mat"};
  const BleuStatistics statistics = bleu.segment("the cat sat on a mat", reference);
  EXPECT_EQ(statistics, (BleuStatistics{6, 7, {5, 3, 2, 1}, {6, 5, 4, 3}}));
  const double expected = 100 * std::exp(1 - 7.0 / 6) * std::pow(5.0 / 6 * 3 / 5 * 2 / 4 * 1 / 3, 0.25);
  EXPECT_NEAR(bleu.score(statistics).score, expected, 1e-12);
}

TEST(Bleu, CorpusStatisticsAreTheSumOfTheSegments) {
  const Bleu bleu;
  const Texts hypotheses{"a b c, d", "", "x y"};
  const std::vector<Texts> references{{"a b c d", "e", "x"}, {"a b", "", "x z y"}};
  BleuStatistics sum;
  for (size_t i = 0; i < hypotheses.size(); ++i) sum += bleu.segment(hypotheses[i], Texts{references[0][i], references[1][i]});
  EXPECT_EQ(bleu.corpus(hypotheses, references), sum);
}

TEST(Bleu, TakesTheShorterOfTwoReferencesAsClose) {
  const Bleu bleu;
  EXPECT_EQ(bleu.segment("a b c", Texts{"a b c d", "a b"}).reference_length, 2);
  EXPECT_EQ(bleu.segment("a b c", Texts{"a b", "a b c d"}).reference_length, 2);
  EXPECT_EQ(bleu.segment("a b c", Texts{"", "a b c d e"}).reference_length, 5);
}

TEST(Bleu, SignatureNamesEveryChoice) {
  EXPECT_EQ(Bleu().signature(), "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0");
  const Bleu other({.tokenize = BleuTokenizer::None, .lowercase = true, .smooth = FloorSmoothing{}, .effective_order = true});
  EXPECT_EQ(other.signature({}), "nrefs:var|case:lc|eff:yes|tok:none|smooth:floor[0.10]|version:2.6.0");
}

TEST(Bleu, RefusesReferencesOfAnotherLength) {
  EXPECT_THROW(Bleu().corpus(Texts{"a", "b"}, std::vector<Texts>{{"a"}}), std::logic_error);
  EXPECT_THROW(Bleu().corpus(Texts{"a"}, std::vector<Texts>{}), std::logic_error);
}

}  // namespace
}  // namespace heed::metrics
