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
  metrics::Score score(std::span<const double> sums) const override {
    return {.name = name(), .value = sums[0], .verbose = ""};
  }
  double resampled_score(std::span<const float> sums) const override { return sums[0]; }

 protected:
  std::vector<metrics::SignatureEntry> signature_entries() const override { return {}; }
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

TEST(TuneWeights, DependOnNothingButTheSeed) {
  const auto table = made_by_weights(1);
  EXPECT_EQ(tune_weights(table, Sum(), {.starts = 3, .seed = 5}), tune_weights(table, Sum(), {.starts = 3, .seed = 5}));
}

TEST(TuneWeights, OfOneCandidateALineAreOfTheFirstFeature) {
  EXPECT_EQ(tune_weights(table_of({{{{2, 7}, 1}}, {{{3, 1}, 1}}}), Sum(), {}), (std::vector{1.0, 0.0}));
}

}  // namespace
}  // namespace heed::reranking
