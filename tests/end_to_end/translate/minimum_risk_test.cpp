// `heed translate --mbr`: which of the translations that search found is written.
#include "heed/api/minimum_risk.h"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "end_to_end/programs.h"

namespace heed::apps {
namespace {

using api::rank_by_risk;
using api::RiskMetric;
using api::RiskOptions;
using translation::Translation;

Translation translated(std::string text, text::Ids target, double log_probability) {
  Translation translation;
  translation.text = std::move(text);
  translation.target = std::move(target);
  translation.log_probability = log_probability;
  return translation;
}

/// The text that is chosen of a list, best first.
std::string chosen(std::vector<Translation> list, const RiskOptions& options, const search::SearchMethod& method) {
  const search::SearchOptions search{.method = method, .beam = 10, .n_best = 10};
  Translation best = std::move(list.front());
  best.others.assign(std::make_move_iterator(list.begin() + 1), std::make_move_iterator(list.end()));
  rank_by_risk(options, search)(best);
  return best.text;
}
const search::SearchMethod kBeam = search::BeamMethod{}, kSample = search::SampleMethod{};

TEST(MinimumRisk, BleuComparesSentencesOfLessThanFourTokens) {
  const std::vector<Translation> list{translated("Er schläft.", {4, 5}, -1), translated("Er schläft..", {4, 6}, -2),
                                      translated("Sie schläft.", {7, 5}, -3)};
  EXPECT_EQ(chosen(list, {.metric = RiskMetric::Bleu}, kBeam), "Er schläft.");
}

TEST(MinimumRisk, ASequenceThatSeveralGroupsFoundCountsOnce) {
  const std::vector<Translation> list{translated("one", {4}, -1), translated("xyz", {5}, -1.1),
                                      translated("xyz", {5}, -1.1), translated("xyz", {5}, -1.1)};
  EXPECT_EQ(chosen(list, {.metric = RiskMetric::Chrf}, kBeam), "one");
  EXPECT_EQ(chosen(list, {.metric = RiskMetric::Chrf, .scale = 0}, kBeam), "one") << "of equals the first";
  EXPECT_EQ(chosen(list, {.metric = RiskMetric::Chrf}, kSample), "xyz") << "each sample counts";
}

TEST(MinimumRisk, ATextHasTheProbabilityOfAllSequencesThatSpellIt) {
  const std::vector<Translation> list{translated("one", {4}, -1), translated("xyz", {5}, -1.3),
                                      translated("xyz", {6, 7}, -1.3)};
  EXPECT_EQ(chosen(list, {.metric = RiskMetric::Chrf}, kBeam), "xyz") << "2 e^-1.3 > e^-1";
  EXPECT_EQ(chosen(list, {.metric = RiskMetric::Chrf, .scale = 0}, kBeam), "one") << "each text counts once";
}

TEST(MinimumRisk, TheOthersStayInTheirOrder) {
  const search::SearchOptions search{.beam = 3, .n_best = 3};
  Translation best = translated("a b c d", {4}, -1);
  best.others = {translated("a b c x", {5}, -1), translated("a b c y", {6}, -1), translated("z", {7}, -9)};
  best.others[0].log_probability = 0;
  rank_by_risk({.metric = RiskMetric::Chrf}, search)(best);
  EXPECT_EQ(best.text, "a b c x");
  ASSERT_EQ(best.others.size(), 3U);
  EXPECT_EQ(best.others[0].text, "a b c d");
  EXPECT_EQ(best.others[1].text, "a b c y");
  EXPECT_EQ(best.others[2].text, "z");
}

TEST(MinimumRisk, TheProgramWritesTheBestOfShortLines) {
  const std::string model = std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1";
  for (const std::string metric : {"bleu", "chrf"}) {
    const auto result = end_to_end::heed({"translate", "--model", model, "--threads", "1", "--search.beam", "20",
                                          "--search.n-best", "20", "--mbr", metric},
                                         "one two three\none two\nseven\n");
    EXPECT_EQ(result.output, "drei zwei eins\nzwei eins\nsieben\n") << metric << result.errors;
  }
}

}  // namespace
}  // namespace heed::apps
