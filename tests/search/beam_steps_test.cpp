// Each step of beam search on a vocabulary of three words: a 4, b 5, c 6 behind the special ids.
#include "heed/search/beam_steps.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/text/tokenizer.h"
#include "search/three_words.h"
#include "support/fake_beam_model.h"

namespace heed::search {
namespace {

TEST(EndsOf, LengthLimitsHoldSentenceBySentence) {
  const SearchOptions options{.beam = 1, .max_length_factor = 0, .max_length_constant = 2, .min_length = 1};
  std::vector<SentenceBeam> sentences(3, SentenceBeam(0, 2, options));
  sentences[1].history.resize(1);
  sentences[2].history.resize(2);
  EXPECT_EQ(ends_of(sentences, options), (std::vector{End::Barred, End::Allowed, End::Forced}));
}

TEST(LiveOf, ASentenceBeginsWithOneHypothesis) {
  const SearchOptions options{.beam = 3};
  const std::vector<SentenceBeam> sentences{SentenceBeam(0, 2, options), sentence_with(options, {-1, -2}),
                                            sentence_with(options, {-1, -2, -3})};
  EXPECT_EQ(live_of(sentences), (std::vector<int64_t>{1, 2, 3}));
}

// Behind text stands end-of-sentence, behind vectors alone nothing: there the last row ends where memory does.
TEST(KeepAttention, TakesThePositionsOfEachSentence) {
  const SearchOptions options{.beam = 2};
  std::vector<SentenceBeam> sentences{SentenceBeam(0, 1, options), SentenceBeam(1, 3, options)};
  sentences[1].source_positions = 3;
  const Continuations found{.attention = {1, 2, 0, 3, 4, 0, 5, 6, 7, 8, 9, 10}, .columns = 3};
  keep_attention(found, sentences);
  EXPECT_EQ(sentences[0].attention, (std::vector<std::vector<float>>{{1, 2, 3, 4}}));
  EXPECT_EQ(sentences[1].attention, (std::vector<std::vector<float>>{{5, 6, 7, 8, 9, 10}}));
}

TEST(RetireFinished, EndCountsAmongTheFirstBeamOnly) {
  const SearchOptions options{.beam = 2};
  std::vector<SentenceBeam> sentences{sentence_with(options, {-0.1, -0.2})};
  sentences[0].history = {{.token = kA}, {.token = kB}};
  std::vector<std::vector<Candidate>> candidates{
      {{-1, -0.8F, 1, text::kEos}, {-2, -1.9F, 0, kC}, {-3, -2.9F, 0, text::kEos}, {-4, -3.8F, 1, kA}}};
  const auto going_on = collect_finished(sentences, candidates, options, {.token_scores = true});
  EXPECT_EQ(going_on, std::vector<bool>{true});
  ASSERT_EQ(sentences[0].finished.size(), 1U);
  const Hypothesis& hypothesis = sentences[0].finished[0];
  EXPECT_EQ(hypothesis.ids, std::vector<int32_t>{kB});
  EXPECT_EQ(hypothesis.token_log_probabilities, (std::vector<float>{0, -0.8F}));
  EXPECT_DOUBLE_EQ(hypothesis.log_probability, -1);
  EXPECT_DOUBLE_EQ(hypothesis.score, -0.5);
  EXPECT_TRUE(hypothesis.complete);
}

TEST(RetireFinished, LengthBeyondTheScoredLengthRaisesNoScore) {
  const auto score_with = [](int64_t scored_length, double word_reward) {
    const SearchOptions options{.beam = 1, .word_reward = word_reward};
    const SentenceConstraints constraints{.scored_length = scored_length};
    std::vector<SentenceBeam> sentences{sentence_with(options, {-1})};
    sentences[0].constraints = &constraints;
    sentences[0].history = {{.token = kA}, {.token = kB}, {.token = kA}};
    std::vector<std::vector<Candidate>> candidates{{{-8, -1, 0, text::kEos}}};
    collect_finished(sentences, candidates, options, {});
    return sentences[0].finished.at(0).score;
  };
  EXPECT_DOUBLE_EQ(score_with(0, 0), -2) << "four tokens";
  EXPECT_DOUBLE_EQ(score_with(5, 0), -2);
  EXPECT_DOUBLE_EQ(score_with(2, 0), -4);
  EXPECT_DOUBLE_EQ(score_with(2, -1), -5) << "each token has its reward";
  EXPECT_DOUBLE_EQ(score_with(2, 3), -1);
}

TEST(RetireFinished, ASentenceIsDoneWithBeamHypotheses) {
  const SearchOptions options{.beam = 2};
  std::vector<SentenceBeam> sentences{sentence_with(options, {-0.1, -0.2})};
  sentences[0].history = {{.token = kA}, {.token = kB}};
  sentences[0].finished.resize(1);
  sentences[0].finished_of_group = {1};
  std::vector<std::vector<Candidate>> candidates{{{-1, -1, 1, text::kEos}, {-2, -2, 0, text::kEos}, {-3, -3, 0, kA}}};
  EXPECT_EQ(collect_finished(sentences, candidates, options, {}), std::vector<bool>{false});
  EXPECT_EQ(sentences[0].finished.size(), 2U);
}

TEST(RetireFinished, TheLimitMarksHypothesesIncomplete) {
  const SearchOptions options{.beam = 1, .max_length_factor = 0, .max_length_constant = 1};
  std::vector<SentenceBeam> sentences{sentence_with(options, {-0.1})};
  sentences[0].history = {{.token = kA}};
  std::vector<std::vector<Candidate>> candidates{{{-1, -1, 0, text::kEos}}};
  EXPECT_EQ(collect_finished(sentences, candidates, options, {}), std::vector<bool>{false});
  EXPECT_FALSE(sentences[0].finished.at(0).complete);
}

TEST(RetireFinished, AnEndAtTheLimitThatWasTheLikeliestIsComplete) {
  const SearchOptions options{.beam = 2, .max_length_factor = 0, .max_length_constant = 1, .min_length = 0};
  std::vector<SentenceBeam> sentences{sentence_with(options, {-0.1, -0.2})};
  sentences[0].history = {{.token = kA}, {.token = kB}};
  note_ends({.ends_by_itself = {0, 1}}, std::vector{End::Forced}, options, sentences);
  std::vector<std::vector<Candidate>> candidates{{{-1, -1, 1, text::kEos}, {-2, -1, 0, text::kEos}}};
  collect_finished(sentences, candidates, options, {});
  ASSERT_EQ(sentences[0].finished.size(), 2U);
  EXPECT_TRUE(sentences[0].finished[0].complete);
  EXPECT_FALSE(sentences[0].finished[1].complete);
}

TEST(Reorder, BeamsContinueTheirParentsAndDoneSentencesLeave) {
  const SearchOptions options{.beam = 2};
  FakeBeamModel model(7, random_scorer(7));
  const text::Ids first{4}, second{5};
  const std::vector<SourceSentence> sources{{10, first}, {11, second}};
  model.start(sources, 2, false);
  const std::vector<int32_t> begin(4, text::kBos);
  const std::vector ends(2, End::Allowed);
  Continuations found;
  model.step({.tokens = begin, .ends = ends, .count = 4}, found);
  std::vector<SentenceBeam> sentences{{10, 1, options}, {11, 1, options}};
  const std::vector<std::vector<Candidate>> candidates{
      {}, {{-1, -1, 1, kC}, {-2, -2, 0, text::kEos}, {-3, -3, 1, kB}, {-4, -4, 0, kA}}};
  EXPECT_EQ(reorder(model, sentences, candidates, {false, true}, options), (std::vector<int32_t>{kC, kB}));
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_EQ(sentences[0].index, 11);
  ASSERT_EQ(sentences[0].live.size(), 2U);
  EXPECT_EQ(sentences[0].live[0].log_probability, -1);
  EXPECT_EQ(sentences[0].live[1].log_probability, -3);
  EXPECT_EQ(sentences[0].length(), 1);
  EXPECT_EQ(model.selects, 1);
}

TEST(Reorder, TheModelHearsNothingWhenNothingMoves) {
  const SearchOptions options{.beam = 2};
  FakeBeamModel model(7, random_scorer(7));
  std::vector<SentenceBeam> sentences{{10, 1, options}};
  const std::vector<std::vector<Candidate>> candidates{{{-1, -1, 0, kC}, {-3, -3, 1, kB}}};
  reorder(model, sentences, candidates, {true}, options);
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
