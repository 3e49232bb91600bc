#include "heed/data/batches/batch_growth.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "data/made_corpus.h"
#include "heed/data/batches/batch_planner.h"

namespace heed::data {
namespace {

using heed::testing::MadeCorpus;

constexpr int64_t kAll = std::numeric_limits<int64_t>::max();

TEST(BatchGrowth, IsEvenInEpochs) {
  const SentenceContext options{.step_tokens = 4000, .growth_epochs = 4, .initial_step_tokens = 1000};
  EXPECT_EQ(grown_step_tokens(options, 0), 1000);
  EXPECT_EQ(grown_step_tokens(options, 1), 1750);
  EXPECT_EQ(grown_step_tokens(options, 3.5), 3625);
  EXPECT_EQ(grown_step_tokens(options, 4), 4000);
  EXPECT_EQ(grown_step_tokens(options, 9), 4000);
  EXPECT_EQ(grown_step_tokens({.step_tokens = 4000, .growth_epochs = 4}, 0), 1000) << "by default a quarter";
  EXPECT_EQ(grown_step_tokens({.step_tokens = 4000}, 0), 4000) << "off";
}

class Growing : public ::testing::Test {
 protected:
  /// The pairs of each step of an epoch.
  std::vector<std::vector<int64_t>> steps_of(const SentenceContext& options, int64_t epoch) const {
    BatchPlanner planner(corpus, options, 1);
    planner.seek({.epoch = epoch, .window = 0, .step = 0});
    std::vector<std::vector<int64_t>> steps;
    while (planner.position().epoch == epoch) {
      const PlannedBatch planned = planner.next();
      std::vector<int64_t>& pairs = steps.emplace_back();
      for (const uint32_t pair : planned.plan->pairs(planned.position.step))
        pairs.push_back(planned.window.begin + pair);
    }
    return steps;
  }
  int64_t longest_of(const SentenceContext& options, int64_t epoch) const {
    int64_t longest = 0;
    for (const auto& pairs : steps_of(options, epoch)) {
      for (const int64_t pair : pairs) longest = std::max(longest, corpus->source_length(pair));
    }
    return longest;
  }

  const MadeCorpus made{3000};
  const std::shared_ptr<const EncodedCorpus> corpus = made.encoded();
};

// The competences of the epochs 0, 1 and 3 of 4 are 0.01, 0.50007 and 0.86605.
TEST_F(Growing, SeesTheEasiestPairsFirst) {
  const Curriculum curriculum(*corpus, 4);
  for (const auto& [epochs, competence] : std::map<double, double>{{0, 0.01}, {1, 0.50007}, {3, 0.86605}}) {
    const int64_t longest = curriculum.longest(epochs);
    int64_t up_to = 0, below = 0;
    for (int64_t pair = 0; pair < corpus->size(); ++pair) {
      up_to += corpus->source_length(pair) <= longest;
      below += corpus->source_length(pair) < longest;
    }
    EXPECT_GE(static_cast<double>(up_to), competence * 3000) << epochs;
    EXPECT_LT(static_cast<double>(below), competence * 3000) << epochs;
  }
  EXPECT_EQ(curriculum.longest(4), kAll);
  EXPECT_EQ(Curriculum(*corpus, 0).longest(0), kAll) << "off";
}

TEST_F(Growing, AnEpochIsAPassOverThePairsThatAreSeen) {
  const SentenceContext options{.step_tokens = 300, .curriculum_epochs = 4, .shuffle_window = 5000};
  const int64_t longest = Curriculum(*corpus, 4).longest(1);
  EXPECT_EQ(longest_of(options, 1), longest);
  std::vector<int64_t> seen, expected;
  for (const auto& pairs : steps_of(options, 1)) seen.insert(seen.end(), pairs.begin(), pairs.end());
  for (int64_t pair = 0; pair < corpus->size(); ++pair) {
    if (corpus->source_length(pair) <= longest) expected.push_back(pair);
  }
  std::ranges::sort(seen);
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(steps_of(options, 4), steps_of({.step_tokens = 300, .shuffle_window = 5000}, 4)) << "all pairs";
}

TEST_F(Growing, WindowsOfAnEpochSeeMoreAndMore) {
  const SentenceContext options{.step_tokens = 300, .curriculum_epochs = 1, .shuffle_window = 500};
  BatchPlanner planner(corpus, options, 1);
  std::vector<int64_t> longest(6, 0);
  while (planner.position().epoch == 0) {
    const PlannedBatch planned = planner.next();
    for (const uint32_t pair : planned.plan->pairs(planned.position.step)) {
      int64_t& of_window = longest[static_cast<size_t>(planned.position.window)];
      of_window = std::max(of_window, corpus->source_length(planned.window.begin + pair));
    }
  }
  EXPECT_TRUE(std::ranges::is_sorted(longest));
  EXPECT_LT(longest.front(), longest.back());
}

TEST_F(Growing, StepsHaveTheSizeOfTheirEpoch) {
  const SentenceContext options{
      .step_tokens = 400, .growth_epochs = 3, .initial_step_tokens = 100, .shuffle_window = 5000};
  for (const int64_t epoch : {0, 1, 2, 3}) {
    int64_t most = 0;
    for (const auto& pairs : steps_of(options, epoch)) {
      int64_t tokens = 0;
      for (const int64_t pair : pairs) tokens += corpus->target_length(pair) + 1;
      most = std::max(most, tokens);
    }
    EXPECT_LE(most, 100 * (epoch + 1));
    EXPECT_GT(most, 100 * epoch);
  }
}

TEST_F(Growing, APositionIsFoundAgain) {
  const SentenceContext options{.step_tokens = 300, .growth_epochs = 2, .curriculum_epochs = 2, .shuffle_window = 700};
  BatchPlanner planner(corpus, options, 1);
  while (planner.position().epoch == 0) planner.next();
  for (int i = 0; i < 20; ++i) planner.next();
  ASSERT_EQ(planner.position().epoch, 1);
  ASSERT_GT(planner.position().step, 0);
  BatchPlanner again(corpus, options, 1);
  again.seek(planner.position());
  EXPECT_DOUBLE_EQ(again.progress(), planner.progress());
  for (int i = 0; i < 30; ++i) {
    const PlannedBatch one = planner.next(), other = again.next();
    EXPECT_TRUE(std::ranges::equal(one.plan->pairs(one.position.step), other.plan->pairs(other.position.step)));
  }
}

}  // namespace
}  // namespace heed::data
