#include "heed/engine/engine_beam.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "engine/both_backends.h"
#include "heed/core/error.h"
#include "heed/search/search_continuously.h"
#include "heed/text/short_list.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/translation/ensemble_beam.h"
#include "support/drawn_sources.h"
#include "support/forbidden_tokens.h"
#include "support/tiny_models.h"

namespace heed::engine {
namespace {

using Found = std::map<int64_t, std::vector<search::Hypothesis>>;

/// constraints: of every other sentence.
Found search_with(search::BeamModel& model, const search::SearchOptions& options, search::ReturnOptions keep,
                  const search::Room& room, const std::vector<text::Ids>& sources,
                  const search::SentenceConstraints* constraints = nullptr) {
  std::vector<search::SourceSentence> waiting;
  for (size_t i = 0; i < sources.size(); ++i) {
    waiting.push_back({static_cast<int64_t>(i), sources[i], nullptr, i % 2 == 0 ? constraints : nullptr, i});
  }
  Found found;
  search::search_continuously(model, options, keep, room, waiting, [&](search::FinishedSentence&& finished) {
    found[finished.index] = std::move(finished.hypotheses);
  });
  return found;
}

void expect_same(const Found& a, const Found& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [index, hypotheses] : a) {
    const auto& others = b.at(index);
    ASSERT_EQ(hypotheses.size(), others.size());
    for (size_t i = 0; i < hypotheses.size(); ++i) {
      EXPECT_EQ(hypotheses[i].ids, others[i].ids);
      EXPECT_EQ(hypotheses[i].complete, others[i].complete);
      EXPECT_NEAR(hypotheses[i].log_probability, others[i].log_probability, tolerance);
      EXPECT_NEAR(hypotheses[i].score, others[i].score, tolerance);
      ASSERT_EQ(hypotheses[i].attention.size(), others[i].attention.size());
      for (size_t t = 0; t < hypotheses[i].attention.size(); ++t) {
        for (size_t j = 0; j < hypotheses[i].attention[t].size(); ++j) {
          EXPECT_NEAR(hypotheses[i].attention[t][j], others[i].attention[t][j], tolerance);
        }
      }
    }
  }
}

/// Two LSTMs with their own past, attention after them that remembers where it was, and input feeding.
models::ArchitectureOptions remembering_rnn() {
  models::ArchitectureOptions options = testing::tiny_rnn();
  models::RnnDecoderOptions decoder{
      .stack = {.cell = nn::CellKind::Lstm, .layers = 2, .hidden = 16, .memory_tape = true},
      .initial_state = models::MeanState{},
      .attention = models::AttentionAfterCell{.attend = {.coverage = nn::NeuralCoverage{.width = 3}}},
      .readout = models::TanhReadout{}};
  options.decoder.type = decoder;
  return options;
}
/// Local attention that predicts where to look.
models::ArchitectureOptions predicting_rnn() {
  models::ArchitectureOptions options = testing::tiny_rnn();
  std::get<models::RnnDecoderOptions>(options.decoder.type).attention = models::AttentionBeforeCell{
      .attend = {.score = nn::GeneralScore{}, .window = nn::PredictedWindow{.half_width = 2}}};
  return options;
}
models::ArchitectureOptions relative_transformer() {
  models::ArchitectureOptions options = testing::tiny_transformer();
  for (auto* stack : {&testing::encoder_stack(options), &testing::decoder_stack(options)}) {
    stack->positions = nn::RelativePositionOptions{.max_distance = 3};
  }
  return options;
}
/// The alignment is the second head of the first layer.
models::ArchitectureOptions guided_transformer() {
  models::ArchitectureOptions options = testing::tiny_transformer();
  auto& cross = testing::decoder_of(options).cross;
  cross.alignment_layer = 1;
  cross.alignment_head = 2;
  return options;
}

const models::ArchitectureOptions kModels[] = {
    testing::tiny_transformer(), relative_transformer(), guided_transformer(), testing::tiny_convolution(),
    testing::tiny_rnn(),         remembering_rnn(),      predicting_rnn()};

void expect_same_search(const models::ArchitectureOptions& model) {
  const bool has_norms = !std::holds_alternative<models::ConvolutionDecoderOptions>(model.decoder.type);
  BothBackends both(model);
  const auto sources = testing::drawn_sources(40, 1, 10, 36);
  const search::Room room{.sentences = 7};
  for (const search::SearchOptions& options :
       std::vector<search::SearchOptions>{{.beam = 1},
                                          {.beam = 4, .n_best = 4},
                                          {.beam = 3, .max_length_factor = 0, .max_length_constant = 4, .n_best = 3},
                                          {.beam = 2, .min_length = 6, .unknown = true, .n_best = 2},
                                          {.beam = 4, .n_best = 4, .groups = 2, .diversity = 0.1},
                                          {.beam = 3, .n_best = 2, .no_repeat_ngram = 2, .repetition_penalty = 1.1},
                                          {.beam = 2, .n_best = 2, .coverage_penalty = 0.2},
                                          {.method = search::SampleMethod{.draw = {.epsilon = 0.01}}, .n_best = 4}}) {
    translation::EnsembleBeam plain({.device = at::kCPU, .members = {both.model}});
    EngineBeam fast(*both.engine);
    const search::ReturnOptions keep{.token_scores = true, .attention = true};
    expect_same(search_with(fast, options, keep, room, sources), search_with(plain, options, keep, room, sources),
                has_norms ? 1e-4 : 1e-3);
  }
}

TEST(EngineBeam, FindsWhatThePlainModelFinds) {
  for (const auto& model : kModels) expect_same_search(model);
}

TEST(EngineBeam, CompletesPromptsAsThePlainModelDoes) {
  models::ArchitectureOptions options = testing::tiny_transformer();
  options.encoder.type = models::NoEncoderOptions{};
  const BothBackends both(options);
  translation::EnsembleBeam plain({.device = at::kCPU, .members = {both.model}});
  EngineBeam fast(*both.engine);
  const search::SentenceConstraints prompt{.prefix = {7, text::kUnk, 8}, .prompt = true};
  const std::vector<text::Ids> sources(20);
  for (const search::SearchMethod& method :
       {search::SearchMethod{search::SampleMethod{.draw = {.top_k = 5}}}, search::SearchMethod{search::BeamMethod{}}}) {
    const search::SearchOptions search{
        .method = method, .beam = 1, .max_length_factor = 0, .max_length_constant = 12, .min_length = 0};
    const Found found = search_with(fast, search, {}, {.sentences = 7}, sources, &prompt);
    expect_same(found, search_with(plain, search, {}, {.sentences = 7}, sources, &prompt), 1e-4);
  }
}

/// A shortlist of the models of BothBackends: the same tokens for every source token but for those of `own`.
text::ShortList short_list_of(const testing::TemporaryDirectory& directory, const std::vector<int32_t>& frequent,
                              const std::map<int32_t, std::vector<int32_t>>& own = {}) {
  text::ShortListContent parts{.target_size = kSizes.target, .frequent = frequent, .by_token = {}};
  for (int32_t token = 0; token < kSizes.source; ++token) {
    parts.by_token.push_back(own.contains(token) ? own.at(token) : std::vector<int32_t>());
  }
  text::write_short_list(directory.file("list"), parts);
  return text::ShortList(directory.file("list"), kSizes.source, kSizes.target);
}

const search::SentenceConstraints kConstraints{
    .prefix = {7, 8}, .required = {{12, 13}, {9}}, .forbidden = search::forbid({{8}, {9, 10}}, kSizes.target)};

TEST(EngineBeam, MeetsConstraintsAsThePlainSearchDoes) {
  const auto sources = testing::drawn_sources(40, 1, 10, 36);
  const search::SearchOptions options{.beam = 3, .n_best = 3};
  for (const auto& architecture : kModels) {
    BothBackends both(architecture);
    translation::EnsembleBeam plain({.device = at::kCPU, .members = {both.model}});
    EngineBeam fast(*both.engine);
    const search::Room room{.sentences = 7};
    const Found found = search_with(fast, options, {}, room, sources, &kConstraints);
    expect_same(found, search_with(plain, options, {}, room, sources, &kConstraints), 1e-3);
    const text::Ids& ids = found.at(0)[0].ids;
    EXPECT_EQ(text::Ids(ids.begin(), ids.begin() + 2), kConstraints.prefix);
    EXPECT_NE(std::ranges::search(ids, kConstraints.required[0].forms[0]).begin(), ids.end());
  }
}

TEST(EngineBeam, ASentenceWithConstraintsHasTheSameBitsAloneAndBesideOthers) {
  const auto sources = testing::drawn_sources(60, 1, 10, 36);
  const search::SearchOptions options{.beam = 4, .n_best = 4, .repetition_penalty = 1.2, .groups = 2};
  BothBackends both(testing::tiny_transformer());
  EngineBeam model(*both.engine);
  const Found alone = search_with(model, options, {}, {.sentences = 1}, sources, &kConstraints);
  expect_same(search_with(model, options, {}, {.sentences = 64}, sources, &kConstraints), alone, 0);
  expect_same(search_with(model, options, {}, {.sentences = 9, .refill = 0.1}, sources, &kConstraints), alone, 0);
  const search::SearchOptions drawn{.method = search::SampleMethod{}, .n_best = 3};
  expect_same(search_with(model, drawn, {}, {.sentences = 64}, sources),
              search_with(model, drawn, {}, {.sentences = 1}, sources), 0);
}

TEST(EngineBeam, AShortListTakesInTheTokensOfConstraints) {
  const BothBackends both(testing::tiny_transformer());
  const testing::TemporaryDirectory directory;
  std::vector<int32_t> all;
  for (int32_t token = 0; token < kSizes.target; ++token) all.push_back(token);
  const text::ShortList everything = short_list_of(directory, all), few = short_list_of(directory, {4, 5, 6});
  const auto sources = testing::drawn_sources(9, 1, 10, 36);
  const search::SearchOptions options{.beam = 3, .n_best = 2, .repetition_penalty = 1.2};
  EngineBeam with(*both.engine, &everything), without(*both.engine), narrow(*both.engine, &few);
  expect_same(search_with(with, options, {}, {.sentences = 7}, sources, &kConstraints),
              search_with(without, options, {}, {.sentences = 7}, sources, &kConstraints), 1e-4);
  const text::Ids ids = search_with(narrow, options, {}, {}, sources, &kConstraints).at(0)[0].ids;
  EXPECT_EQ(text::Ids(ids.begin(), ids.begin() + 2), kConstraints.prefix);
  EXPECT_NE(std::ranges::search(ids, kConstraints.required[0].forms[0]).begin(), ids.end());
}

TEST(EngineBeam, ASentenceHasTheSameBitsAloneAndBesideOthers) {
  const auto sources = testing::drawn_sources(60, 1, 10, 36);
  for (const auto& architecture : kModels) {
    for (const Precision precision : {Precision::Float32, Precision::BFloat16, Precision::Int8}) {
      BothBackends both(architecture, precision);
      EngineBeam model(*both.engine);
      const search::SearchOptions options{.beam = 3, .n_best = 3};
      const Found alone = search_with(model, options, {}, {.sentences = 1}, sources);
      expect_same(search_with(model, options, {}, {.sentences = 64}, sources), alone, 0);
      expect_same(search_with(model, options, {}, {.sentences = 9, .refill = 0.1}, sources), alone, 0);
    }
  }
}

TEST(EngineBeam, HypothesesThatNobodyLooksAtAreLeftOut) {
  const text::Ids first{7, 8, 9}, second{10, 11};
  const std::vector<search::SourceSentence> sources{{0, first}, {1, second}};
  const std::vector<search::End> ends{search::End::Allowed, search::End::Forced};
  const std::vector<int64_t> live{1, 2};
  const std::vector<int32_t> bos(6, text::kBos), tokens{12, 13, 14, 15, 16, 17};
  for (const auto& architecture : kModels) {
    BothBackends both(architecture);
    search::Continuations all, few;
    for (const bool every : {true, false}) {
      EngineBeam model(*both.engine);
      search::Continuations& found = every ? all : few;
      model.start(sources, 3, /*attention=*/true);
      model.step({.tokens = bos, .ends = ends, .live = std::vector<int64_t>{1, 1}, .count = 4}, found);
      model.select(std::vector<int64_t>{0, 1}, std::vector<int32_t>{0, 0, 0, 0, 0, 0});
      model.step({.tokens = tokens, .ends = ends, .live = every ? std::span<const int64_t>() : live, .count = 4},
                 found);
    }
    for (const size_t row : {0, 3, 4}) {
      for (size_t i = row * 4; i < row * 4 + 4; ++i) {
        EXPECT_EQ(few.tokens[i], all.tokens[i]);
        EXPECT_EQ(few.log_probabilities[i], all.log_probabilities[i]);
      }
      EXPECT_EQ(few.ends_by_itself[row], all.ends_by_itself[row]);
      const auto columns = static_cast<size_t>(few.columns);
      for (size_t j = row * columns; j < (row + 1) * columns; ++j) EXPECT_EQ(few.attention[j], all.attention[j]);
    }
    for (const size_t row : {1, 2, 5}) {
      EXPECT_TRUE(std::isinf(few.log_probabilities[row * 4]));
      EXPECT_FALSE(std::isinf(all.log_probabilities[row * 4]));
    }
  }
}

TEST(EngineBeam, AShortListOfAllTokensChangesNothing) {
  const BothBackends both(testing::tiny_transformer());
  const testing::TemporaryDirectory directory;
  std::vector<int32_t> all;
  for (int32_t token = 0; token < kSizes.target; ++token) all.push_back(token);
  const text::ShortList list = short_list_of(directory, all);
  EngineBeam with(*both.engine, &list), without(*both.engine);
  const auto sources = testing::drawn_sources(30, 1, 10, 36);
  const search::SearchOptions options{.beam = 3, .min_length = 2, .n_best = 3};
  expect_same(search_with(with, options, {.token_scores = true}, {.sentences = 7}, sources),
              search_with(without, options, {.token_scores = true}, {.sentences = 7}, sources), 1e-4);
}

TEST(EngineBeam, WithAShortListASentenceHasTokensOfItsOwnAlone) {
  const BothBackends both(testing::tiny_transformer());
  const testing::TemporaryDirectory directory;
  const text::ShortList list = short_list_of(directory, {4, 5}, {{10, {20, 21}}, {11, {22, 23, 24}}, {12, {25}}});
  EngineBeam model(*both.engine, &list);
  std::vector<text::Ids> sources = testing::drawn_sources(20, 1, 6, 30);
  sources.push_back({10, 11, 7});
  sources.push_back({12});
  sources.push_back({11, 11, 11, 12});
  const search::SearchOptions options{.beam = 3, .n_best = 3};
  const Found alone = search_with(model, options, {}, {.sentences = 1}, sources);
  for (const auto& [index, hypotheses] : alone) {
    const auto allowed = list.tokens_for(sources[static_cast<size_t>(index)]);
    for (const search::Hypothesis& hypothesis : hypotheses) {
      for (const int32_t token : hypothesis.ids) EXPECT_TRUE(std::ranges::binary_search(allowed, token)) << token;
    }
  }
  expect_same(search_with(model, options, {}, {.sentences = 64}, sources), alone, 0);
  expect_same(search_with(model, options, {}, {.sentences = 5, .refill = 0.1}, sources), alone, 0);
}

TEST(EngineBeam, TheLongestTranslationIsThatOfItsPositions) {
  models::ArchitectureOptions options = testing::tiny_transformer();
  testing::decoder_stack(options).positions = nn::LearnedPositions{.max_length = 12};
  BothBackends both(options);
  EXPECT_EQ(EngineBeam(*both.engine).max_length(), 11);
}

TEST(EngineBeam, WhatHasNoAttentionShowsNone) {
  models::ArchitectureOptions language_model = testing::tiny_transformer(), fixed_vector = testing::tiny_rnn();
  language_model.encoder.type = models::NoEncoderOptions{};
  std::get<models::RnnDecoderOptions>(fixed_vector.decoder.type).attention = models::NoMemoryAttention{};
  for (const auto& options : {language_model, fixed_vector}) {
    BothBackends both(options);
    EngineBeam model(*both.engine);
    EXPECT_THROW(model.start({}, 2, /*attention=*/true), ConfigError);
  }
}

}  // namespace
}  // namespace heed::engine
