// How a step's candidates are chosen, on a vocabulary of three words: a 4, b 5, c 6 behind the special ids.
#include "heed/search/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "heed/core/error.h"
#include "heed/text/tokenizer.h"
#include "search/three_words.h"

namespace heed::search {
namespace {

/// Probabilities of [eos a b c], best first, as what one step finds. rows: [S * beam] of 4.
Continuations found_with(const std::vector<float>& probabilities) {
  Continuations found;
  for (size_t row = 0; row < probabilities.size(); row += 4) {
    std::vector<int32_t> order{0, 1, 2, 3};
    std::ranges::stable_sort(order, std::greater{}, [&](int32_t i) { return probabilities[row + size_t(i)]; });
    for (const int32_t i : order) {
      found.log_probabilities.push_back(std::log(probabilities[row + size_t(i)]));
      found.tokens.push_back(text::kEos + i);
    }
  }
  return found;
}

TEST(PickCandidates, RanksContinuationsOfAllBeams) {
  const SearchOptions options{.beam = 2};
  const std::vector<SentenceBeam> sentences{sentence_with(options, {std::log(0.6), std::log(0.4)})};
  // 0.6 * (eos 0.5, a 0.3, b 0.2) = 0.30 0.18 0.12; 0.4 * (eos 0.1, a 0.2, c 0.7) = 0.04 0.08 0.28
  const Continuations scores = found_with({0.5F, 0.3F, 0.2F, 0, /**/ 0.1F, 0.2F, 0, 0.7F});
  const auto candidates = pick_candidates(scores, sentences, {}, options);
  ASSERT_EQ(candidates.size(), 1U);
  ASSERT_EQ(candidates[0].size(), 4U);
  const double probabilities[] = {0.30, 0.28, 0.18, 0.12};
  const int32_t parents[] = {0, 1, 0, 0};
  const int32_t tokens[] = {text::kEos, kC, kA, kB};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(std::exp(candidates[0][i].log_probability), probabilities[i], 1e-6);
    EXPECT_EQ(candidates[0][i].parent, parents[i]);
    EXPECT_EQ(candidates[0][i].token, tokens[i]);
  }
  EXPECT_NEAR(std::exp(candidates[0][1].token_log_probability), 0.7, 1e-6);
}

TEST(PickCandidates, LooksAtLiveBeamsOnly) {
  const SearchOptions options{.beam = 2};
  const std::vector<SentenceBeam> sentences{{0, 2, options}};
  const Continuations scores = found_with({0, 0.6F, 0.4F, 0, /**/ 0, 0, 0, 1});
  const auto candidates = pick_candidates(scores, sentences, {}, options);
  ASSERT_EQ(candidates[0].size(), 2U);
  EXPECT_EQ(candidates[0][0].token, kA);
  EXPECT_EQ(candidates[0][1].token, kB);
}

TEST(PickCandidates, EqualsComeInOrderOfParentThenToken) {
  const SearchOptions options{.beam = 2};
  const std::vector<SentenceBeam> sentences{sentence_with(options, {-1, -1})};
  const Continuations scores = found_with({0.25F, 0.25F, 0.25F, 0.25F, /**/ 0.25F, 0.25F, 0.25F, 0.25F});
  const auto candidates = pick_candidates(scores, sentences, {}, options);
  ASSERT_EQ(candidates[0].size(), 4U);
  for (int32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(candidates[0][static_cast<size_t>(i)].parent, 0);
    EXPECT_EQ(candidates[0][static_cast<size_t>(i)].token, text::kEos + i);
  }
}

TEST(PickCandidates, ScoresThatAreNotNumbersAreAnError) {
  const SearchOptions options{.beam = 1};
  const std::vector<SentenceBeam> sentences{{0, 2, options}};
  Continuations scores = found_with({0.5F, 0.5F, 0, 0});
  scores.log_probabilities[1] = std::nanf("");
  EXPECT_THROW(pick_candidates(scores, sentences, {}, options), Error);
}

/// "token of parent" of each.
std::vector<std::pair<int32_t, int32_t>> taken(const std::vector<Candidate>& candidates) {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (const Candidate& candidate : candidates) pairs.emplace_back(candidate.token, candidate.parent);
  return pairs;
}
using Pairs = std::vector<std::pair<int32_t, int32_t>>;

TEST(PickCandidates, WhatIsAskedForMayFollowWhateverTheModelThinks) {
  const SearchOptions options{.beam = 1};
  const std::vector<SentenceBeam> sentences{sentence_with(options, {0})};
  Continuations scores = found_with({0, 0.6F, 0.4F, 0});
  scores.asked = {std::log(0.5F)};
  StepRules rules;
  rules.barred.add(std::vector{kC});
  rules.asked.add(std::vector{kC});
  rules.asked_alone = {0};
  EXPECT_EQ(taken(pick_candidates(scores, sentences, rules, options)[0]), (Pairs{{kA, 0}, {kC, 0}}));
  rules.asked_alone = {1};
  EXPECT_EQ(taken(pick_candidates(scores, sentences, rules, options)[0]), (Pairs{{kC, 0}}));
}

TEST(PickCandidates, ARepeatedTokenIsRankedBelowItsProbability) {
  const SearchOptions options{.beam = 1, .repetition_penalty = 2};
  std::vector<SentenceBeam> sentences{sentence_with(options, {-1})};
  sentences[0].history = {{.token = kA}};
  Continuations scores = found_with({0, 0, 0.3F, 0.2F});
  scores.asked = {std::log(0.5F)};
  StepRules rules;
  rules.barred.add(std::vector{kA});
  rules.asked.add(std::vector{kA});
  rules.asked_alone = {0};
  const auto candidates = pick_candidates(scores, sentences, rules, options)[0];
  ASSERT_EQ(taken(candidates), (Pairs{{kB, 0}, {kA, 0}}));  // 0.3, then 0.5 * 0.5
  EXPECT_NEAR(candidates[1].log_probability, -1 + std::log(0.5), 1e-6);
  EXPECT_NEAR(candidates[1].penalty, std::log(0.5), 1e-6);
}

TEST(PickCandidates, AGroupKeepsAwayFromWhatEarlierOnesTake) {
  const SearchOptions options{.beam = 2, .groups = 2, .diversity = 1};
  const std::vector<SentenceBeam> sentences{sentence_with(options, {0, 0}, {0, 1})};
  // Both like a best; what it loses, 1, is log 2.7.
  const Continuations scores = found_with({0.1F, 0.6F, 0.3F, 0, /**/ 0.1F, 0.6F, 0.3F, 0});
  const auto candidates = pick_candidates(scores, sentences, {}, options)[0];
  EXPECT_EQ(taken(candidates), (Pairs{{kA, 0}, {kB, 0}, {kB, 1}, {kA, 1}}));
  EXPECT_EQ(candidates[2].group, 1);
  EXPECT_NEAR(candidates[2].ranked_by(), std::log(0.3), 1e-6) << "the loss is part of no score";
}

TEST(PickCandidates, EachGroupContinuesTheEmptyHypothesis) {
  const SearchOptions options{.beam = 2, .groups = 2, .diversity = 10};
  const std::vector<SentenceBeam> sentences{SentenceBeam(0, 2, options)};
  const Continuations scores = found_with({0, 0.6F, 0.3F, 0.1F, /**/ 0, 0, 0, 1});
  EXPECT_EQ(taken(pick_candidates(scores, sentences, {}, options)[0]), (Pairs{{kA, 0}, {kB, 0}, {kB, 0}, {kC, 0}}));
}

TEST(PickCandidates, BanksTakeTurns) {
  const SearchOptions options{.beam = 2};
  const SentenceConstraints constraints{.required = {{kB, kC}}};
  std::vector<SentenceBeam> sentences{sentence_with(options, {std::log(0.9), std::log(0.1)})};
  sentences[0].constraints = &constraints;
  sentences[0].history = {{.token = kA}, {.token = kB}};
  Continuations scores = found_with({0, 0.8F, 0, 0.2F, /**/ 0, 0.7F, 0, 0});
  scores.asked = {std::log(0.1F), std::log(0.01F)};
  StepRules rules;
  rules.barred.add(std::vector{kB});
  rules.barred.add(std::vector{kC});
  rules.asked.add(std::vector{kB});
  rules.asked.add(std::vector{kC});
  rules.asked_alone = {0, 0};
  // Two tokens of the phrase: b c; one: a b; none: a a, a c, b a.
  const auto candidates = pick_candidates(scores, sentences, rules, options)[0];
  EXPECT_EQ(taken(candidates), (Pairs{{kC, 1}, {kB, 0}, {kA, 0}, {kC, 0}}));
}

TEST(InBanks, TheFirstOfEveryBankGoesBeforeTheSecondOfAny) {
  std::vector<Candidate> candidates(5);
  for (size_t i = 0; i < candidates.size(); ++i) candidates[i].token = static_cast<int32_t>(i);
  std::vector<int32_t> order;
  for (const Candidate& candidate : in_banks(candidates, std::vector<int64_t>{0, 0, 2, 0, 1})) {
    order.push_back(candidate.token);
  }
  EXPECT_EQ(order, (std::vector<int32_t>{2, 4, 0, 1, 3}));
}

TEST(ContinuationsNeeded, AsManyAsEarlierGroupsMayTakeAndTheVocabularyHas) {
  EXPECT_EQ(continuations_needed({.beam = 4}, 100), 8);
  EXPECT_EQ(continuations_needed({.beam = 6, .groups = 3}, 100), 8);
  EXPECT_EQ(continuations_needed({.beam = 4}, 7), 7);
}

}  // namespace
}  // namespace heed::search
