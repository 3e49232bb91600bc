#include "heed_torch/translation/ensemble_beam.h"

#include <gtest/gtest.h>

#include <cmath>

#include <torch/torch.h>

#include "heed/core/error.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/translation/lines/source_tensors.h"
#include "support/decisive_model.h"

namespace heed::translation {
namespace {

using at::Tensor;
using text::Ids;

constexpr int64_t kWords = 30;

std::shared_ptr<models::Model> model() {
  static const auto shared = testing::decisive_model(kWords);
  return shared;
}
/// Another model of the same vocabulary.
std::shared_ptr<models::Model> other(models::ArchitectureOptions options = testing::decisive_architecture()) {
  auto made = models::build_model(options, {.source = kWords + 4, .target = kWords + 4}, 9);
  made->eval();
  return made;
}
std::shared_ptr<models::Model> language_model() {
  models::ArchitectureOptions options = testing::decisive_architecture();
  options.encoder.type = models::NoEncoderOptions{};
  auto made = models::build_model(options, {.source = 0, .target = kWords + 4}, 3);
  made->eval();
  return made;
}
EnsembleBeam beam_of(std::vector<std::shared_ptr<models::Model>> members) {
  return EnsembleBeam({.device = at::kCPU, .members = std::move(members)});
}

/// Sources of these ids, numbered.
std::vector<search::SourceSentence> sources_of(const std::vector<Ids>& ids) {
  std::vector<search::SourceSentence> sources;
  for (size_t i = 0; i < ids.size(); ++i) sources.push_back({static_cast<int64_t>(i), ids[i]});
  return sources;
}

/// Takes a step. All log-probabilities: float [S * beam, V]. columns: of the attention, if it is wanted.
Tensor step(search::BeamModel& beam, const std::vector<int32_t>& tokens, size_t sentences,
            std::vector<float>* attention = nullptr) {
  const Tensor all = torch::zeros({std::ssize(tokens), beam.vocab_size()});
  const search::LogProbabilityCallback rows = [&](size_t hypothesis, std::span<float> row) {
    std::ranges::copy(row, all[static_cast<int64_t>(hypothesis)].mutable_data_ptr<float>());
  };
  const std::vector ends(sentences, search::End::Allowed);
  search::Continuations found;
  beam.step({.tokens = tokens, .ends = ends, .rows = &rows}, found);
  if (attention != nullptr) *attention = found.attention;
  return all;
}
Tensor first_step(search::BeamModel& beam, size_t rows, size_t sentences) {
  return step(beam, std::vector<int32_t>(rows, text::kBos), sentences);
}

void expect_close(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.sizes(), b.sizes());
  EXPECT_TRUE(torch::allclose(a, b, 1e-4, 1e-4)) << (a - b).abs().max();
}

TEST(SourceMatrix, RowsEndWithEndOfSentenceAndPadding) {
  const Ids longer{4, 5}, empty;
  const std::vector<search::SourceSentence> sources{{0, longer}, {1, empty}};
  EXPECT_TRUE(torch::equal(source_matrix(sources), torch::tensor({{4, 5, 3}, {3, 0, 0}})));
}

TEST(EnsembleBeam, GivesLogProbabilitiesAndAttention) {
  const std::vector<Ids> ids{{5, 6}, {7}};
  EnsembleBeam beam = beam_of({model()});
  EXPECT_EQ(beam.vocab_size(), kWords + 4);
  beam.start(sources_of(ids), 2, true);
  std::vector<float> attention;
  const Tensor found = step(beam, std::vector<int32_t>(4, text::kBos), 2, &attention);
  expect_close(torch::logsumexp(found, -1), torch::zeros({4}));
  const Tensor weights = torch::tensor(attention).view({4, 3});
  expect_close(weights.sum(-1), torch::ones({4}));
  EXPECT_EQ(weights[2][2].item<float>(), 0);
}

TEST(EnsembleBeam, SelectedSentencesContinueTheirParents) {
  const std::vector<Ids> ids{{5, 6, 8}, {7, 9}, {9}}, one{{7, 9}};
  EnsembleBeam beam = beam_of({model()});
  beam.start(sources_of(ids), 2, false);
  first_step(beam, 6, 3);
  step(beam, {4, 5, 6, 7, 8, 9}, 3);
  beam.select(std::vector<int64_t>{1}, std::vector<int32_t>{1, 0});
  const Tensor found = step(beam, {10, 11}, 1);

  EnsembleBeam alone = beam_of({model()});
  alone.start(sources_of(one), 2, false);
  first_step(alone, 2, 1);
  step(alone, {7, 6}, 1);
  expect_close(found, step(alone, {10, 11}, 1));
}

TEST(EnsembleBeam, JoinedSentencesAreAsIfAlone) {
  const std::vector<Ids> ids{{5, 6}}, more{{7, 9, 8}, {9}};
  EnsembleBeam beam = beam_of({model()});
  beam.start(sources_of(ids), 2, false);
  first_step(beam, 2, 1);
  step(beam, {4, 5}, 1);
  beam.join(sources_of(more));
  step(beam, {6, 7, text::kBos, text::kBos, text::kBos, text::kBos}, 3);
  const Tensor found = step(beam, {8, 9, 10, 11, 12, 13}, 3);

  EnsembleBeam first = beam_of({model()});
  first.start(sources_of(ids), 2, false);
  first_step(first, 2, 1);
  step(first, {4, 5}, 1);
  step(first, {6, 7}, 1);
  expect_close(found.slice(0, 0, 2), step(first, {8, 9}, 1));

  EnsembleBeam second = beam_of({model()});
  second.start(sources_of(more), 2, false);
  first_step(second, 4, 2);
  expect_close(found.slice(0, 2), step(second, {10, 11, 12, 13}, 2));
}

TEST(EnsembleBeam, LearnedPositionsLimitTheTranslation) {
  EXPECT_GT(beam_of({model()}).max_length(), 1'000'000);
  auto options = testing::decisive_architecture();
  testing::decoder_stack(options).positions = nn::LearnedPositions{.max_length = 10};
  const std::vector<Ids> ids{{5}};
  EnsembleBeam beam = beam_of({testing::decisive_model(kWords, options)});
  EXPECT_EQ(beam.max_length(), 9) << "bos takes one position";
  EXPECT_EQ(beam_of({model(), other(options)}).max_length(), 9) << "the least of all";
  beam.start(sources_of(ids), 1, false);
  for (int i = 0; i < 10; ++i) EXPECT_NO_THROW(first_step(beam, 1, 1)) << i;
  EXPECT_THROW(first_step(beam, 1, 1), c10::Error);
}

/// The same steps, with a selection and a sentence that joins: log-probabilities of each.
std::vector<Tensor> run_of(EnsembleBeam beam) {
  const std::vector<Ids> ids{{5, 6}, {7}}, more{{8, 9, 10}};
  std::vector<Tensor> found;
  beam.start(sources_of(ids), 2, false);
  found.push_back(first_step(beam, 4, 2));
  found.push_back(step(beam, {4, 5, 6, 7}, 2));
  beam.select(std::vector<int64_t>{1}, std::vector<int32_t>{1, 0});
  beam.join(sources_of(more));
  found.push_back(step(beam, {10, 11, text::kBos, text::kBos}, 2));
  return found;
}

TEST(EnsembleBeam, MembersAndTheLanguageModelTakeEveryStep) {
  const auto one = run_of(beam_of({model()})), two = run_of(beam_of({other()})),
             language = run_of(beam_of({language_model()}));
  const auto weighted = run_of(EnsembleBeam({.device = at::kCPU, .members = {model(), other()}, .weights = {3, 1}}));
  const auto fused = run_of(EnsembleBeam({.device = at::kCPU,
                                          .members = {model(), other()},
                                          .language_model = language_model(),
                                          .language_model_weight = 0.3}));
  for (size_t i = 0; i < one.size(); ++i) {
    expect_close(weighted[i].exp(), 0.75 * one[i].exp() + 0.25 * two[i].exp());
    expect_close(fused[i], (0.5 * one[i].exp() + 0.5 * two[i].exp()).log() + 0.3 * language[i]);
  }
}

TEST(EnsembleBeam, RefusesNetworksThatDoNotFit) {
  EXPECT_THROW(beam_of({}), std::logic_error);
  EXPECT_THROW(beam_of({model(), testing::decisive_model(kWords - 1)}), std::logic_error);
  EXPECT_THROW(EnsembleBeam({.device = at::kCPU, .members = {model()}, .weights = {1, 2}}), std::logic_error);
  EXPECT_THROW(EnsembleBeam({.device = at::kCPU, .members = {model()}, .weights = {0}}), std::logic_error);
}

TEST(EnsembleBeam, WhatHasNoAttentionShowsNone) {
  EnsembleBeam beam = beam_of({language_model()});
  const std::vector<Ids> ids{{}};
  beam.start(sources_of(ids), 1, true);
  EXPECT_THROW(first_step(beam, 1, 1), ConfigError);
}

}  // namespace
}  // namespace heed::translation
