#include "heed/search/beam_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "heed/core/error.h"
#include "heed/text/tokenizer.h"
#include "search/exhaustive.h"
#include "support/fake_beam_model.h"

namespace heed::search {
namespace {

TEST(BeamSearch, BeamOneIsGreedy) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const Scorer scorer = random_scorer(kVocab, seed, 0.0F);
    const SearchOptions options{.beam = 1, .max_length_constant = 12};
    const auto hypotheses = search_one(scorer, options, {5, 6});
    Prefix prefix;
    double log_probability = 0;
    bool complete = true;
    while (true) {
      const auto next = log_softmax(scorer({5, 6}, prefix));
      const auto first = next.begin() + (prefix.empty() ? text::kEos + 1 : text::kEos);
      const auto likeliest = std::max_element(first, next.end());
      const auto best = prefix.size() == 16 ? next.begin() + text::kEos : likeliest;
      complete = best == likeliest;
      log_probability += *best;
      if (best - next.begin() == text::kEos) break;
      prefix.push_back(best - next.begin());
    }
    ASSERT_EQ(hypotheses.size(), 1U);
    EXPECT_EQ(Prefix(hypotheses[0].ids.begin(), hypotheses[0].ids.end()), prefix);
    EXPECT_NEAR(hypotheses[0].log_probability, log_probability, 1e-4);
    EXPECT_EQ(hypotheses[0].complete, complete);
  }
}

TEST(BeamSearch, WideBeamIsExhaustive) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const Scorer scorer = random_scorer(kVocab, seed);
    for (const LengthPenalty& penalty : std::vector<LengthPenalty>{PowerPenalty{}, GnmtPenalty{}, NoPenalty{}}) {
      const SearchOptions options{
          .beam = 200, .length_penalty = penalty, .max_length_factor = 0, .max_length_constant = 4, .n_best = 120};
      const auto hypotheses = search_one(scorer, options, {4});
      const auto all = all_translations(scorer, {4}, options);
      ASSERT_EQ(all.size(), 120U);
      ASSERT_EQ(hypotheses.size(), 120U);
      for (size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(hypotheses[i].score, all[i].first, 1e-5);
      EXPECT_EQ(Prefix(hypotheses[0].ids.begin(), hypotheses[0].ids.end()), all[0].second);
    }
  }
}

TEST(BeamSearch, NBestIsSortedAndDistinct) {
  const SearchOptions options{.beam = 5, .n_best = 5};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto hypotheses = search_one(random_scorer(kVocab, seed), options, {4, 5, 6});
    ASSERT_EQ(hypotheses.size(), 5U);
    for (size_t i = 1; i < 5; ++i) {
      EXPECT_GE(hypotheses[i - 1].score, hypotheses[i].score);
      for (size_t j = 0; j < i; ++j) EXPECT_NE(hypotheses[i].ids, hypotheses[j].ids);
    }
  }
}

TEST(BeamSearch, SpecialTokensNeverCome) {
  const Scorer tempting = [](const Prefix&, const Prefix&) { return std::vector<float>{9, 9, 9, 0, 1, 0, 0}; };
  for (const Hypothesis& hypothesis : search_one(tempting, {.beam = 3, .n_best = 3}, {4})) {
    for (const int32_t id : hypothesis.ids) EXPECT_GT(id, text::kEos);
  }
}

TEST(BeamSearch, TheLimitEndsAHypothesis) {
  const Scorer endless = [](const Prefix&, const Prefix&) { return std::vector<float>{0, 0, 0, -20, 1, 0, 0}; };
  const auto hypotheses = search_one(endless, {.beam = 2, .max_length_factor = 2, .max_length_constant = 3}, {4, 5});
  EXPECT_EQ(hypotheses[0].ids, text::Ids(7, 4));
  EXPECT_FALSE(hypotheses[0].complete);
}

TEST(BeamSearch, MinimumLengthHolds) {
  const Scorer hasty = [](const Prefix&, const Prefix&) { return std::vector<float>{0, 0, 0, 9, 1, 0, 0}; };
  EXPECT_EQ(search_one(hasty, {.beam = 2, .min_length = 0}, {4})[0].ids.size(), 0U);
  EXPECT_EQ(search_one(hasty, {.beam = 2}, {4})[0].ids.size(), 1U);
  EXPECT_EQ(search_one(hasty, {.beam = 2, .min_length = 4}, {4})[0].ids, text::Ids(4, 4));
}

TEST(BeamSearch, TheModelsLimitComesBeforeTheMinimumLength) {
  FakeBeamModel model(kVocab, random_scorer(kVocab));
  model.longest = 3;
  BeamSearch search(model, {.beam = 2, .min_length = 40});
  const text::Ids source{4};
  const std::vector<SourceSentence> sources{{0, source}};
  search.admit(sources);
  std::vector<FinishedSentence> finished;
  while (search.running() > 0) finished = search.advance();
  ASSERT_EQ(finished.size(), 1U);
  EXPECT_EQ(finished[0].hypotheses[0].ids.size(), 3U);
  EXPECT_FALSE(finished[0].hypotheses[0].complete);
}

TEST(BeamSearch, TokenScoresSumToTheLogProbability) {
  const auto hypotheses = search_one(random_scorer(kVocab), {.beam = 4, .n_best = 4}, {4, 5}, {.token_scores = true});
  for (const Hypothesis& hypothesis : hypotheses) {
    const auto& scores = hypothesis.token_log_probabilities;
    ASSERT_EQ(scores.size(), hypothesis.ids.size() + 1);
    EXPECT_NEAR(std::accumulate(scores.begin(), scores.end(), 0.0), hypothesis.log_probability, 1e-5);
    Prefix prefix;
    for (size_t i = 0; i < scores.size(); ++i) {
      const auto token = static_cast<size_t>(i < hypothesis.ids.size() ? hypothesis.ids[i] : text::kEos);
      EXPECT_NEAR(scores[i], log_softmax(random_scorer(kVocab)({4, 5}, prefix))[token], 1e-5);
      prefix.push_back(static_cast<int64_t>(token));
    }
  }
}

TEST(BeamSearch, AttentionIsKeptPerTokenOverTheRealSource) {
  FakeBeamModel model(kVocab, random_scorer(kVocab));
  BeamSearch search(model, {.beam = 2}, {.attention = true});
  const text::Ids longer{4, 5, 6, 4}, shorter{5};
  const std::vector<SourceSentence> sources{{0, longer}, {1, shorter}};
  search.admit(sources);
  while (search.running() > 0) {
    for (const FinishedSentence& finished : search.advance()) {
      const Hypothesis& hypothesis = finished.hypotheses[0];
      const size_t columns = finished.index == 0 ? 5 : 2;
      ASSERT_EQ(hypothesis.attention.size(), hypothesis.ids.size() + 1);
      for (size_t i = 0; i < hypothesis.attention.size(); ++i) {
        ASSERT_EQ(hypothesis.attention[i].size(), columns);
        EXPECT_EQ(hypothesis.attention[i][std::min(i, columns - 1)], 1);
      }
    }
  }
}

TEST(BeamSearch, AttentionThatAModelLacksIsAnError) {
  FakeBeamModel model(kVocab, random_scorer(kVocab));
  model.has_attention = false;
  BeamSearch search(model, {.beam = 2}, {.attention = true});
  const text::Ids ids{4};
  const std::vector<SourceSentence> sources{{0, ids}};
  search.admit(sources);
  EXPECT_THROW(search.advance(), ConfigError);
}

/// As one whose shortlist has nothing but the end, which the least length bars.
TEST(BeamSearch, WithoutAnyTokenASentenceEndsAndTheSearchGoesOn) {
  const float never = -std::numeric_limits<float>::infinity();
  const Scorer mute = [=](const Prefix&, const Prefix&) {
    std::vector<float> logits(kVocab, never);
    logits[text::kPad] = 0;
    return logits;
  };
  const auto found = search_one(mute, {.beam = 2}, {4}, {.token_scores = true, .attention = true});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].ended_by_rules && found[0].ids.empty());
  EXPECT_EQ(found[0].token_log_probabilities, std::vector<float>{0}) << "of the end";
  EXPECT_EQ(found[0].attention.size(), 1U);
}

}  // namespace
}  // namespace heed::search
