#include "heed/search/stopping.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "heed/text/tokenizer.h"
#include "search/three_words.h"

namespace heed::search {
namespace {

SentenceBeam with_finished(const SearchOptions& options, const std::vector<double>& scores) {
  SentenceBeam sentence(0, 2, options);
  for (const double score : scores) {
    sentence.finished.emplace_back().score = score;
    ++sentence.finished_of_group[0];
  }
  return sentence;
}

TEST(BestPossibleScore, IsThatOfTheBestLength) {
  const SearchOptions mean{};
  EXPECT_DOUBLE_EQ(best_possible_score(-6, 2, 5, mean), -1) << "six tokens, end-of-sentence counted";
  const SearchOptions plain{.length_penalty = NoPenalty{}};
  EXPECT_DOUBLE_EQ(best_possible_score(-6, 2, 5, plain), -6);
  const SearchOptions rewarded{.length_penalty = NoPenalty{}, .word_reward = 2};
  EXPECT_DOUBLE_EQ(best_possible_score(-6, 2, 5, rewarded), 6);
  const SearchOptions punished{.length_penalty = NoPenalty{}, .word_reward = -1};
  EXPECT_DOUBLE_EQ(best_possible_score(-6, 2, 5, punished), -9);
}

TEST(BestPossibleScore, IsTheBestOfAllLengths) {
  for (const double alpha : {0.0, 0.3, 0.6, 1.0, 1.7}) {
    for (const LengthPenalty& penalty :
         {LengthPenalty(PowerPenalty{alpha}), LengthPenalty(GnmtPenalty{alpha}), LengthPenalty(NoPenalty{})}) {
      for (const double reward : {-3.0, -0.1, 0.0, 0.02, 0.7, 5.0}) {
        const SearchOptions options{.length_penalty = penalty, .word_reward = reward};
        for (const double ranked_by : {-40.0, -3.3, -0.01, 0.0}) {
          double best = normalized_score(ranked_by, 4, options);
          for (int64_t tokens = 5; tokens <= 61; ++tokens) {
            best = std::max(best, normalized_score(ranked_by, tokens, options));
          }
          EXPECT_DOUBLE_EQ(best_possible_score(ranked_by, 3, 60, options), best) << alpha << ' ' << reward;
        }
      }
    }
  }
}

TEST(BestPossibleScore, TakesNoTimeForLengthsWithoutLimit) {
  constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max() / 2;
  EXPECT_NEAR(best_possible_score(-6, 2, kNoLimit, {}), 0, 1e-9);
}

TEST(GroupIsDone, WithBeamTimesPatienceHypotheses) {
  const std::vector<Candidate> open{{.log_probability = -1, .token = kA}};
  for (const auto& [patience, finished, done] :
       std::vector<std::tuple<double, size_t, bool>>{{1, 1, false}, {1, 2, true}, {0.5, 1, true}, {2, 3, false}}) {
    const SearchOptions options{.beam = 2, .stop = StopAtCount{.patience = patience}};
    EXPECT_EQ(group_is_done(with_finished(options, std::vector<double>(finished, -1)), 0, open, options), done)
        << patience << ' ' << finished;
  }
}

TEST(GroupIsDone, WhenNoOpenHypothesisCanBecomeBetter) {
  const SearchOptions options{.beam = 2, .length_penalty = NoPenalty{}, .n_best = 2, .stop = StopAtBest{}};
  const std::vector<Candidate> open{{.log_probability = -2, .token = kA}};
  EXPECT_FALSE(group_is_done(with_finished(options, {-1}), 0, open, options)) << "two are wanted";
  EXPECT_FALSE(group_is_done(with_finished(options, {-1, -3}), 0, open, options));
  EXPECT_TRUE(group_is_done(with_finished(options, {-1, -3, -1.5}), 0, open, options));
}

TEST(GroupIsDone, WhenNothingIsOpen) {
  const SearchOptions options{.beam = 2};
  const std::vector<Candidate> ended{{.log_probability = -1, .token = text::kEos}};
  EXPECT_TRUE(group_is_done(with_finished(options, {}), 0, ended, options));
}

}  // namespace
}  // namespace heed::search
