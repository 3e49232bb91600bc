#include "heed/reranking/weight_tuning.h"

#include <gtest/gtest.h>

#include "heed/core/random.h"
#include "heed/metrics/metric.h"

namespace heed::reranking {
namespace {

/// A metric that is the sum of one number a line.
class Sum final : public metrics::Metric {
 public:
  std::string name() const override { return "sum"; }
  size_t statistics_size() const override { return 1; }
  std::unique_ptr<metrics::Extractor> extractor() const override { return nullptr; }
  double value(const metrics::Sums& sums) const override { return sums[0]; }
};

struct Row {
  std::vector<double> features;
  double score;
};

CandidateTable table_of(const std::vector<std::vector<Row>>& lines) {
  CandidateTable table{.features_size = lines[0][0].features.size(), .statistics_size = 1};
  for (const auto& line : lines) {
    for (const Row& row : line) {
      table.features.insert(table.features.end(), row.features.begin(), row.features.end());
      table.statistics.push_back(row.score);
    }
    table.begins.push_back(table.begins.back() + line.size());
  }
  return table;
}

TEST(BestCandidates, HaveTheHighestWeightedSum) {
  const auto table = table_of({{{{1, 0}, 0}, {{0, 1}, 0}}, {{{2, 2}, 0}, {{3, 1}, 0}}});
  EXPECT_EQ(best_candidates(table, std::vector{1.0, 0.0}), (std::vector<size_t>{0, 3}));
  EXPECT_EQ(best_candidates(table, std::vector{0.0, 1.0}), (std::vector<size_t>{1, 2}));
  EXPECT_EQ(best_candidates(table, std::vector{1.0, 1.0}), (std::vector<size_t>{0, 2})) << "the first of equals";
  EXPECT_EQ(score_of(table_of({{{{1}, 3}, {{0}, 4}}}), Sum(), std::vector<size_t>{1}), 4);
}

TEST(BestStep, IsInTheMiddleOfTheBestStretch) {
  // Along the second feature the first line changes from its candidate 0 to 1 at a step of 1, the second line from 0 to
  // 1 at 2 and to 2 at 4. Scores of the stretches: 5, 9, 12, 2.
  const auto table = table_of({{{{1, 0}, 1}, {{0, 1}, 5}}, {{{2, 0}, 4}, {{0, 1}, 7}, {{-4, 2}, -3}}});
  const Step step = best_step(table, Sum(), std::vector{1.0, 0.0}, std::vector{0.0, 1.0});
  EXPECT_DOUBLE_EQ(step.length, 3);
  EXPECT_DOUBLE_EQ(step.score, 12);
}

/// One line with a candidate for each stretch: below 0, from 0 to 1, to 2, to 10 and above.
CandidateTable five_stretches(const std::vector<double>& scores) {
  return table_of(
      {{{{0, 0}, scores[0]}, {{0, 1}, scores[1]}, {{-1, 2}, scores[2]}, {{-3, 3}, scores[3]}, {{-13, 4}, scores[4]}}});
}

TEST(BestStep, OfEqualStretchesTheWidestIsTaken) {
  const std::vector weights{1.0, 0.0}, direction{0.0, 1.0};
  EXPECT_DOUBLE_EQ(best_step(five_stretches({1, 5, 2, 5, 0}), Sum(), weights, direction).length, 6);
  EXPECT_DOUBLE_EQ(best_step(five_stretches({1, 2, 5, 0, 5}), Sum(), weights, direction).length, 10 + 1.1);
}

TEST(BestStep, IsWithinAStretchThatHasNoEnd) {
  const std::vector weights{1.0, 0.0}, direction{0.0, 1.0};
  EXPECT_DOUBLE_EQ(best_step(five_stretches({5, 1, 1, 1, 1}), Sum(), weights, direction).length, -0.1);
}

TEST(BestStep, IsNoneWhereNothingChanges) {
  const auto table = table_of({{{{1, 0}, 1}, {{0, 0}, 5}}});
  const Step step = best_step(table, Sum(), std::vector{1.0, 0.0}, std::vector{0.0, 1.0});
  EXPECT_EQ(step.length, 0);
  EXPECT_EQ(step.score, 1);
}

TEST(BestStep, IsTheBestOfAll) {
  RandomStream random(3, Purpose::Test);
  const auto number = [&] { return 2 * random.uniform() - 1; };
  std::vector<std::vector<Row>> lines(6);
  for (auto& line : lines) {
    for (int c = 0; c < 5; ++c) line.push_back({{number(), number()}, number()});
  }
  const auto table = table_of(lines);
  const std::vector weights{number(), number()}, direction{number(), number()};
  double highest = -1e9;
  for (double step = -30; step < 30; step += 0.001) {
    const std::vector moved{weights[0] + step * direction[0], weights[1] + step * direction[1]};
    highest = std::max(highest, score_of(table, Sum(), best_candidates(table, moved)));
  }
  const Step found = best_step(table, Sum(), weights, direction);
  EXPECT_NEAR(found.score, highest, 1e-9);
  const std::vector there{weights[0] + found.length * direction[0], weights[1] + found.length * direction[1]};
  EXPECT_NEAR(score_of(table, Sum(), best_candidates(table, there)), found.score, 1e-9);
}

/// Lines whose best candidate is the one with the highest a + 3 b - 2 c.
CandidateTable made_by_weights(uint64_t seed) {
  RandomStream random(seed, Purpose::Test);
  std::vector<std::vector<Row>> lines(60);
  for (auto& line : lines) {
    for (int c = 0; c < 8; ++c) {
      const double a = random.uniform(), b = 100 * random.uniform(), d = random.uniform() / 100;
      line.push_back({{a, b, d}, a + 3 * b / 100 - 2 * d * 100});
    }
  }
  return table_of(lines);
}

TEST(TuneWeights, FindsThoseThatMadeTheScores) {
  const auto table = made_by_weights(1);
  const auto weights = tune_weights(table, Sum(), {});
  std::vector<size_t> best;
  const double highest = score_of(table, Sum(), best_candidates(table, std::vector{1.0, 0.03, -200.0}));
  EXPECT_GE(score_of(table, Sum(), best_candidates(table, weights)), highest - 1e-9);
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  EXPECT_NEAR(sum, 1, 1e-12);
  // What they choose of other lines is nearly as good.
  const auto others = made_by_weights(2);
  const double there = score_of(others, Sum(), best_candidates(others, std::vector{1.0, 0.03, -200.0}));
  EXPECT_GT(score_of(others, Sum(), best_candidates(others, weights)), 0.99 * there);
}

/// Nor what the last line, which has no choice, says of it.
TEST(TuneWeights, TheUnitOfAFeatureDoesNotMatter) {
  auto table = made_by_weights(1);
  table.features.insert(table.features.end(), {1, 2, 3});
  table.statistics.push_back(0);
  table.begins.push_back(table.begins.back() + 1);
  const auto weights = tune_weights(table, Sum(), {.starts = 2});
  for (size_t i = 1; i < table.features.size(); i += 3) table.features[i] *= 1024;
  const auto others = tune_weights(table, Sum(), {.starts = 2});
  EXPECT_NEAR(others[1] * 1024 / others[0], weights[1] / weights[0], 1e-9);
  EXPECT_NEAR(others[2] / others[0], weights[2] / weights[0], 1e-6);
}

TEST(TuneWeights, NoFeatureAloneMakesThemBetter) {
  for (uint64_t seed = 1; seed < 6; ++seed) {
    const auto table = made_by_weights(seed);
    const auto weights = tune_weights(table, Sum(), {.starts = 1});
    const double score = score_of(table, Sum(), best_candidates(table, weights));
    for (size_t f = 0; f < weights.size(); ++f) {
      std::vector<double> direction(weights.size());
      direction[f] = 1;
      EXPECT_LE(best_step(table, Sum(), weights, direction).score, score + 1e-6) << seed << " " << f;
    }
  }
}

TEST(TuneWeights, DependOnNothingButTheSeed) {
  const auto table = made_by_weights(1);
  EXPECT_EQ(tune_weights(table, Sum(), {.starts = 3, .seed = 5}), tune_weights(table, Sum(), {.starts = 3, .seed = 5}));
}

TEST(TuneWeights, OfOneCandidateALineAreOfTheFirstFeature) {
  EXPECT_EQ(tune_weights(table_of({{{{2, 7}, 1}}, {{{3, 1}, 1}}}), Sum(), {}), (std::vector{1.0, 0.0}));
}

}  // namespace
}  // namespace heed::reranking
