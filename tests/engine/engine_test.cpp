#include "heed/engine/engine.h"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "heed/checkpoint/named_tensors.h"
#include "heed/checkpoint/tensor_file.h"
#include "heed/search/logits/row_best.h"
#include "support/temporary_directory.h"
#include "support/tiny_models.h"

namespace heed::engine {
namespace {

constexpr models::VocabularySizes kSizes{.source = 40, .target = 40};

/// A model with drawn parameters, and the engine that reads them from a file.
struct Both {
  explicit Both(const models::ArchitectureOptions& options, Precision precision = Precision::Float32)
      : model(models::build_model(options, kSizes, 3)) {
    torch::NoGradGuard guard;
    for (auto& parameter : model->parameters()) parameter.add_(torch::randn_like(parameter), 0.2);
    model->eval();
    checkpoint::write_tensors(directory.file("model.safetensors"), checkpoint::named_tensors(*model));
    engine.emplace(options, kSizes, directory.file("model.safetensors"), precision);
  }
  testing::TemporaryDirectory directory;
  std::shared_ptr<models::Model> model;
  std::optional<Engine> engine;
};

const std::vector<std::vector<int32_t>> kSources{{5, 9, 13, 3, 3}, {7, 8, 3}, {30, 31, 32, 33, 34, 35, 36, 3}};

Sources sources_of(const std::vector<std::vector<int32_t>>& sentences) {
  Sources sources;
  for (const auto& sentence : sentences) {
    sources.tokens.insert(sources.tokens.end(), sentence.begin(), sentence.end());
    sources.begins.push_back(std::ssize(sources.tokens));
  }
  return sources;
}
torch::Tensor matrix_of(const std::vector<std::vector<int32_t>>& sentences) {
  torch::Tensor matrix = torch::zeros({std::ssize(sentences), 8}, torch::kLong);
  for (size_t i = 0; i < sentences.size(); ++i) {
    for (size_t j = 0; j < sentences[i].size(); ++j) matrix[int64_t(i)][int64_t(j)] = sentences[i][j];
  }
  return matrix;
}

/// The greatest difference of log-probabilities over some steps in which beams change places and a sentence leaves.
double greatest_difference(Both& both) {
  torch::NoGradGuard guard;
  constexpr int64_t kBeam = 2;
  const Sources sources = sources_of(kSources);
  const bool translates = both.engine->encoder() != nullptr;
  Rows memory;
  if (translates) both.engine->encoder()->begin_run()->encode(sources, memory);
  const auto run = both.engine->decoder().begin_run();
  SentenceStates states;
  run->start(sources, translates ? &memory : nullptr, kBeam, states);
  std::unique_ptr<models::DecoderState> state;
  if (translates) {
    const models::Memory plain = both.model->encode(matrix_of(kSources));
    state = both.model->decoder->start(&plain, kBeam);
  } else {
    state = both.model->decoder->start(nullptr, kBeam, 3);
  }
  Output::Scratch scratch(both.engine->precision());
  double greatest = 0;
  std::vector<int32_t> tokens{2, 2, 2, 2, 2, 2};
  for (int step = 0; step < 5; ++step) {
    Rows hidden;
    Choices choices;
    run->step(tokens, states, hidden, {});
    both.engine->output().choose(hidden, {.count = 40, .end = 3}, scratch, choices);
    const torch::Tensor ids = torch::tensor(std::vector<int64_t>(tokens.begin(), tokens.end())).view({-1, kBeam});
    const torch::Tensor logits = both.model->logits(both.model->decoder->step(ids, *state).hidden);
    const torch::Tensor expected = torch::log_softmax(logits, -1).view({-1, 40}).contiguous();
    for (int64_t row = 0; row < hidden.count(); ++row) {
      for (int64_t i = 0; i < 40; ++i) {
        const auto at = static_cast<size_t>(row * 40 + i);
        greatest = std::max(greatest, std::abs(double(choices.log_probabilities[at]) -
                                               expected[row][choices.tokens[at]].item<double>()));
      }
    }
    for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<int32_t>(4 + (7 * i + 11 * size_t(step)) % 36);
    const std::vector<int32_t> parents{1, 1};
    if (step == 2) {  // the second sentence leaves
      states.erase(states.begin() + 1);
      tokens.resize(4);
      state->select(torch::tensor({int64_t(0), int64_t(2)}), torch::tensor({int64_t(1), int64_t(1), int64_t(1), int64_t(1)}).view({2, 2}));
    } else {
      const int64_t count = std::ssize(states);
      state->select(torch::arange(count), torch::ones({count, 2}, torch::kLong));
    }
    for (auto& one : states) one->select(parents);
  }
  return greatest;
}

TEST(Engine, GivesTheLogProbabilitiesOfThePlainModel) {
  auto grid = testing::transformer_grid();
  int taken = 0;
  for (const auto& [name, options] : grid) {
    if (Engine::refuses(options)) continue;
    ++taken;
    Both both(options);
    EXPECT_LT(greatest_difference(both), 2e-5) << name;
    Both rounded(options, Precision::BFloat16), quantized(options, Precision::Int8);
    std::cout << name << ' ' << greatest_difference(both) << ' ' << greatest_difference(rounded) << ' ' << greatest_difference(quantized) << '\n';
  }
  EXPECT_GT(taken, 10);
}

}  // namespace
}  // namespace heed::engine
