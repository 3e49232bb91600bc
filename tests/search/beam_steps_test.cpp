// Each step of beam search on a vocabulary of three words: a 4, b 5, c 6 behind the special ids.
#include "heed/search/beam_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <torch/torch.h>

#include "heed/core/error.h"
#include "heed/search/row_best.h"
#include "heed/text/tokenizer.h"
#include "support/fake_step_model.h"

namespace heed::search {
namespace {

constexpr int32_t kA = 4, kB = 5, kC = 6;
constexpr float kNever = -std::numeric_limits<float>::infinity();

RunningSentence sentence_with(const SearchOptions& options, std::vector<double> log_probabilities) {
  RunningSentence sentence(0, 2, options);
  sentence.log_probabilities = std::move(log_probabilities);
  return sentence;
}

/// Probabilities of [pad unk bos eos a b c] as one step's scores. rows: [S, beam] of 7.
StepScores step_scores(std::initializer_list<float> probabilities, int64_t beam) {
  StepScores scores;
  scores.logits = torch::tensor(std::vector<float>(probabilities)).view({-1, beam, 7}).log() + 2.5;
  scores.logsumexp = torch::full({scores.logits.size(0), beam, 1}, 2.5);
  return scores;
}

TEST(AdjustScores, ForbidsSpecialTokens) {
  const SearchOptions options{.beam = 1, .min_length = 0};
  std::vector<RunningSentence> sentences{{0, 2, options}};
  Tensor logits = torch::ones({1, 1, 7});
  adjust_scores(logits, sentences, options);
  EXPECT_TRUE(torch::equal(logits, torch::tensor({{{kNever, kNever, kNever, 1.0F, 1.0F, 1.0F, 1.0F}}})));

  logits = torch::ones({1, 1, 7});
  adjust_scores(logits, sentences, {.beam = 1, .min_length = 0, .unknown = true});
  EXPECT_TRUE(torch::equal(logits, torch::tensor({{{kNever, 1.0F, kNever, 1.0F, 1.0F, 1.0F, 1.0F}}})));
}

TEST(AdjustScores, LengthLimitsHoldSentenceBySentence) {
  const SearchOptions options{.beam = 1, .max_length_factor = 0, .max_length_constant = 2, .min_length = 1};
  std::vector<RunningSentence> sentences(3, RunningSentence(0, 2, options));
  sentences[1].history.resize(1);
  sentences[2].history.resize(2);
  Tensor logits = torch::ones({3, 1, 7});
  logits.select(-1, text::kEos).fill_(7);
  adjust_scores(logits, sentences, options);
  const Tensor expected = torch::tensor({{kNever, kNever, kNever, kNever, 1.0F, 1.0F, 1.0F},
                                         {kNever, kNever, kNever, 7.0F, 1.0F, 1.0F, 1.0F},
                                         {kNever, kNever, kNever, 7.0F, kNever, kNever, kNever}});
  EXPECT_TRUE(torch::equal(logits.squeeze(1), expected)) << logits;
}

TEST(PickCandidates, RanksContinuationsOfAllBeams) {
  const SearchOptions options{.beam = 2};
  const std::vector<RunningSentence> sentences{sentence_with(options, {std::log(0.6), std::log(0.4)})};
  // 0.6 * (eos 0.5, a 0.3, b 0.2) = 0.30 0.18 0.12; 0.4 * (eos 0.1, a 0.2, c 0.7) = 0.04 0.08 0.28
  const StepScores scores = step_scores({0, 0, 0, 0.5F, 0.3F, 0.2F, 0, /**/ 0, 0, 0, 0.1F, 0.2F, 0, 0.7F}, 2);
  const auto candidates = pick_candidates(read_scores(scores), sentences);
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
  const std::vector<RunningSentence> sentences{{0, 2, options}};
  const StepScores scores = step_scores({0, 0, 0, 0, 0.6F, 0.4F, 0, /**/ 0, 0, 0, 0, 0, 0, 1}, 2);
  const auto candidates = pick_candidates(read_scores(scores), sentences);
  ASSERT_EQ(candidates[0].size(), 2U);
  EXPECT_EQ(candidates[0][0].token, kA);
  EXPECT_EQ(candidates[0][1].token, kB);
}

TEST(PickCandidates, EqualsComeInOrderOfParentThenToken) {
  const SearchOptions options{.beam = 2};
  const std::vector<RunningSentence> sentences{sentence_with(options, {-1, -1})};
  const StepScores scores =
      step_scores({0, 0, 0, 0.25F, 0.25F, 0.25F, 0.25F, /**/ 0, 0, 0, 0.25F, 0.25F, 0.25F, 0.25F}, 2);
  const auto candidates = pick_candidates(read_scores(scores), sentences);
  ASSERT_EQ(candidates[0].size(), 4U);
  for (int32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(candidates[0][static_cast<size_t>(i)].parent, 0);
    EXPECT_EQ(candidates[0][static_cast<size_t>(i)].token, text::kEos + i);
  }
}

TEST(PickCandidates, ScoresThatAreNotNumbersAreAnError) {
  const SearchOptions options{.beam = 1};
  const std::vector<RunningSentence> sentences{{0, 2, options}};
  StepScores scores = step_scores({0, 0, 0, 0.5F, 0.5F, 0, 0}, 1);
  scores.logsumexp.fill_(std::nan(""));
  EXPECT_THROW(pick_candidates(read_scores(scores), sentences), Error);
}

TEST(RetireFinished, EndCountsAmongTheFirstBeamOnly) {
  const SearchOptions options{.beam = 2};
  std::vector<RunningSentence> sentences{sentence_with(options, {-0.1, -0.2})};
  sentences[0].history = {{.token = kA}, {.token = kB}};
  const std::vector<std::vector<Candidate>> candidates{
      {{-1, -0.8F, 1, text::kEos}, {-2, -1.9F, 0, kC}, {-3, -2.9F, 0, text::kEos}, {-4, -3.8F, 1, kA}}};
  const auto going_on = retire_finished(sentences, candidates, options, {.token_scores = true});
  EXPECT_EQ(going_on, std::vector<bool>{true});
  ASSERT_EQ(sentences[0].finished.size(), 1U);
  const Hypothesis& hypothesis = sentences[0].finished[0];
  EXPECT_EQ(hypothesis.ids, std::vector<int32_t>{kB});
  EXPECT_EQ(hypothesis.token_log_probabilities, (std::vector<float>{0, -0.8F}));
  EXPECT_DOUBLE_EQ(hypothesis.log_probability, -1);
  EXPECT_DOUBLE_EQ(hypothesis.score, -0.5);
  EXPECT_TRUE(hypothesis.complete);
}

TEST(RetireFinished, ASentenceIsDoneWithBeamHypotheses) {
  const SearchOptions options{.beam = 2};
  std::vector<RunningSentence> sentences{sentence_with(options, {-0.1, -0.2})};
  sentences[0].history = {{.token = kA}, {.token = kB}};
  sentences[0].finished.resize(1);
  const std::vector<std::vector<Candidate>> candidates{
      {{-1, -1, 1, text::kEos}, {-2, -2, 0, text::kEos}, {-3, -3, 0, kA}}};
  EXPECT_EQ(retire_finished(sentences, candidates, options, {}), std::vector<bool>{false});
  EXPECT_EQ(sentences[0].finished.size(), 2U);
}

TEST(RetireFinished, TheLimitMarksHypothesesIncomplete) {
  const SearchOptions options{.beam = 1, .max_length_factor = 0, .max_length_constant = 1};
  std::vector<RunningSentence> sentences{sentence_with(options, {-0.1})};
  sentences[0].history = {{.token = kA}};
  const std::vector<std::vector<Candidate>> candidates{{{-1, -1, 0, text::kEos}}};
  EXPECT_EQ(retire_finished(sentences, candidates, options, {}), std::vector<bool>{false});
  EXPECT_FALSE(sentences[0].finished.at(0).complete);
}

TEST(RetireFinished, AnEndAtTheLimitThatWasTheLikeliestIsComplete) {
  const SearchOptions options{.beam = 2, .max_length_factor = 0, .max_length_constant = 1, .min_length = 0};
  std::vector<RunningSentence> sentences{sentence_with(options, {-0.1, -0.2})};
  sentences[0].history = {{.token = kA}, {.token = kB}};
  Tensor logits = torch::zeros({1, 2, 7});
  logits.index_put_({0, 0, kA}, 2.0F);
  logits.index_put_({0, 1, text::kEos}, 2.0F);
  const Tensor ends = adjust_scores(logits, sentences, options);
  note_ends(read_scores({.logits = logits, .logsumexp = torch::zeros({1, 2, 1}), .attention = {}}, ends), sentences,
            options.min_length);
  const std::vector<std::vector<Candidate>> candidates{{{-1, -1, 1, text::kEos}, {-2, -1, 0, text::kEos}}};
  retire_finished(sentences, candidates, options, {});
  ASSERT_EQ(sentences[0].finished.size(), 2U);
  EXPECT_TRUE(sentences[0].finished[0].complete);
  EXPECT_FALSE(sentences[0].finished[1].complete);
}

TEST(Reorder, BeamsContinueTheirParentsAndDoneSentencesLeave) {
  const SearchOptions options{.beam = 2};
  FakeStepModel model(7, random_scorer(7));
  model.start(torch::tensor({{4, 3}, {5, 3}}), 2, false);
  model.step(torch::full({2, 2}, text::kBos));
  std::vector<RunningSentence> sentences{{10, 1, options}, {11, 1, options}};
  const std::vector<std::vector<Candidate>> candidates{
      {}, {{-1, -1, 1, kC}, {-2, -2, 0, text::kEos}, {-3, -3, 1, kB}, {-4, -4, 0, kA}}};
  const Tensor tokens = reorder(model, sentences, candidates, {false, true});
  EXPECT_TRUE(torch::equal(tokens, torch::tensor({{kC, kB}}, torch::kLong)));
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_EQ(sentences[0].index, 11);
  EXPECT_EQ(sentences[0].log_probabilities, (std::vector<double>{-1, -3}));
  EXPECT_EQ(sentences[0].length(), 1);
  EXPECT_EQ(model.selects, 1);
}

TEST(Reorder, TheModelHearsNothingWhenNothingMoves) {
  const SearchOptions options{.beam = 2};
  FakeStepModel model(7, random_scorer(7));
  std::vector<RunningSentence> sentences{{10, 1, options}};
  const std::vector<std::vector<Candidate>> candidates{{{-1, -1, 0, kC}, {-3, -3, 1, kB}}};
  reorder(model, sentences, candidates, {true});
  EXPECT_EQ(model.selects, 0);
}

TEST(Ranked, BestScoreComesFirst) {
  std::vector<Hypothesis> finished(3);
  finished[0].score = -2;
  finished[1].score = -1;
  finished[2].score = -3;
  const auto best = ranked(finished, 2);
  ASSERT_EQ(best.size(), 2U);
  EXPECT_EQ(best[0].score, -1);
  EXPECT_EQ(best[1].score, -2);
}

}  // namespace
}  // namespace heed::search
