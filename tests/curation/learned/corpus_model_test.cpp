#include "heed/curation/learned/corpus_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "curation/made_text.h"
#include "heed/curation/learned/logistic_regression.h"
#include "heed/curation/survey/pair_judge.h"

namespace heed::curation {
namespace {

constexpr int64_t kPairs = 3000;

class CorpusModelTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    TextPairs text = made_text(kPairs);
    for (size_t i = 0; i < 60; ++i) text[i].second = text[i].first;            // copies
    for (size_t i = 60; i < 180; ++i) text[i].second = text[i + 1000].second;  // misaligned
    model = new CorpusModel(text, 1);
  }
  static void TearDownTestSuite() { delete model; }
  static FilterSet found(const std::string& source, const std::string& target) {
    PairJudge::Buffers buffers;
    return PairJudge(*model, {}).judge({.line = 1, .source = source, .target = target}, buffers).found;
  }
  static CorpusModel* model;
};
CorpusModel* CorpusModelTest::model = nullptr;

const std::string kEnglish = "The old rabbit paints the white mountain behind the house.";
const std::string kGerman = "Der alte Hase malt den weißen Berg hinter dem Haus.";

TEST_F(CorpusModelTest, GoodPairsStay) {
  EXPECT_EQ(found(kEnglish, kGerman), FilterSet{});
  EXPECT_EQ(found("The dog.", "Der Hund."), FilterSet{});
  EXPECT_EQ(found("OK", "OK"), FilterSet{});
  EXPECT_EQ(found("Zoom", "Zoomfaktor"), FilterSet{});
  EXPECT_EQ(found("LibreOffice Writer", "LibreOffice Writer"), FilterSet{}) << "names are their own translations";
}

TEST_F(CorpusModelTest, OtherLanguagesAreFound) {
  EXPECT_TRUE(found(kEnglish, "Le vieux lapin peint une montagne blanche derrière la maison ce matin.")
                  .contains(Filter::Language));
  EXPECT_TRUE(found(kGerman, kGerman).contains(Filter::Language));
  EXPECT_TRUE(found(kEnglish, kEnglish).contains(Filter::Copied));
  EXPECT_TRUE(found(kEnglish, "Старый кролик рисует гору.").contains(Filter::Script));
  EXPECT_FALSE(found("Zoom 5 µm", "Zoom 5 µm").contains(Filter::Script));
}

TEST_F(CorpusModelTest, MisalignedPairsAreFound) {
  EXPECT_TRUE(
      found(kEnglish, "Der wütende Lehrer findet den schönen Zug jeden einzelnen Tag.").contains(Filter::Misaligned));
  EXPECT_FALSE(found("Unknown words everywhere", "Lauter unbekannte Wörter").contains(Filter::Misaligned))
      << "nothing is known about them";
}

/// A pair of the sample must not be its own evidence: the misaligned pairs were learned too.
TEST_F(CorpusModelTest, PairsOfTheSampleDoNotExplainThemselves) {
  const TextPairs text = made_text(kPairs);
  int64_t misaligned = 0, good = 0;
  for (size_t i = 60; i < 180; ++i)
    misaligned += found(text[i].first, text[i + 1000].second).contains(Filter::Misaligned);
  for (size_t i = 180; i < 1000; ++i) good += found(text[i].first, text[i].second).contains(Filter::Misaligned);
  EXPECT_GT(misaligned, 100);
  EXPECT_LT(good, 5);
}

TEST_F(CorpusModelTest, LengthsThatDoNotFitAreFound) {
  EXPECT_TRUE(found(kEnglish + ' ' + kEnglish, "Der").contains(Filter::Ratio));
  EXPECT_TRUE(found(kEnglish, "Der alte Hase malt").contains(Filter::Truncated));
  EXPECT_FALSE(found(kEnglish, kGerman.substr(0, kGerman.size() - 1)).contains(Filter::Truncated))
      << "only the full stop is missing";
  EXPECT_NEAR(model->lengths().ratio(), 0.93, 0.1);
}

TEST(CorpusModel, OfAlmostNothingFindsNothing) {
  const CorpusModel model({{"yes", "ja"}, {"no", "nein"}}, 1);
  PairJudge::Buffers buffers;
  const PairJudge judge(model, {});
  EXPECT_EQ(judge.judge({.line = 1, .source = kEnglish, .target = kGerman}, buffers).found, FilterSet{});
  EXPECT_TRUE(judge.judge({.line = 1, .source = kEnglish, .target = " "}, buffers).found.contains(Filter::Empty));
  const CorpusModel none({}, 1);
  EXPECT_EQ(PairJudge(none, {}).judge({.line = 1, .source = kEnglish, .target = kGerman}, buffers).found, FilterSet{});
}

TEST(PairSample, HasEachPairOnceInAnyOrder) {
  PairSample forward(3), backward(3);
  for (int i = 0; i < 10; ++i) {
    for (int times = 0; times < 4; ++times) forward.add(static_cast<uint64_t>(i), std::to_string(i), "x");
    backward.add(static_cast<uint64_t>(9 - i), std::to_string(9 - i), "x");
  }
  const auto pairs = forward.take();
  EXPECT_EQ(pairs, backward.take());
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs[2].first, "2");
}

TEST(LogisticRegression, SeparatesClasses) {
  using Point = std::array<double, 2>;
  const std::vector<Point> positive{{1, 2}, {1, 3}, {1, 0.5}}, negative{{1, -1}, {1, -2}, {1, 0.7}};
  const auto weights = fit_logistic_regression<2>(positive, negative);
  EXPECT_GT(logistic(weights, Point{1, 3}), 0.8);
  EXPECT_LT(logistic(weights, Point{1, -3}), 0.2);
}

}  // namespace
}  // namespace heed::curation
