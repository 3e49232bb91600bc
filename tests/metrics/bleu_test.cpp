#include "heed/metrics/bleu.h"

#include <gtest/gtest.h>

#include <cmath>

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
  const auto references = References::from_files(stored.at("references").get<std::vector<Texts>>());
  const std::vector<double> sums = bleu.extract(stored.at("hypotheses").get<Texts>(), references).sums();
  const BleuScore score = bleu.details(sums);
  const std::string signature = bleu.signature({.references = references.count()}).text();
  EXPECT_EQ(result_line(bleu.score(sums), signature), stored.at("line"));
  EXPECT_EQ(result_line(bleu.score(sums), signature, 4), stored.at("wide_line"));
  EXPECT_NEAR(score.value, stored.at("score").get<double>(), 1e-9);
  EXPECT_NEAR(score.brevity_penalty, stored.at("brevity_penalty").get<double>(), 1e-9);
  EXPECT_NEAR(score.ratio, stored.at("ratio").get<double>(), 1e-9);
  for (size_t n = 0; n < kBleuOrder; ++n) EXPECT_NEAR(score.precisions[n], stored.at("precisions")[n].get<double>(), 1e-9);
  EXPECT_EQ((std::vector{sums[0], sums[1]}), stored.at("lengths").get<std::vector<double>>());
  if (stored.at("correct").is_null()) return;  // sacreBLEU adds k to its counts
  EXPECT_EQ(std::vector(&sums[2], &sums[6]), stored.at("correct").get<std::vector<double>>());
  EXPECT_EQ(std::vector(&sums[6], &sums[6] + 4), stored.at("total").get<std::vector<double>>());
}

std::vector<double> statistics(const Bleu& bleu, const std::string& hypothesis, const Texts& references) {
  return bleu.extract(Texts{hypothesis}, References::from_lines({references})).sums();
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

TEST(Bleu, SignatureNamesEveryChoice) {
  EXPECT_EQ(Bleu().signature().text(), "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0");
  const Bleu other({.tokenize = BleuTokenizer::None, .lowercase = true, .smooth = FloorSmoothing{}, .effective_order = true});
  EXPECT_EQ(other.signature({.references = {}}).text(), "nrefs:var|case:lc|eff:yes|tok:none|smooth:floor[0.10]|version:2.6.0");
}

}  // namespace
}  // namespace heed::metrics
