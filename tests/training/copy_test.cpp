// Every family of models, with attention of most kinds, and mixes of them learn to copy and to reverse sequences of
// length 8.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <string>

#include "heed/core/random.h"
#include "heed/data/batches/batching.h"
#include "heed_torch/nn/random/random_scope.h"
#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "support/tiny_models.h"

namespace heed::training {
namespace {

constexpr int64_t kLength = 8, kSymbols = 10, kRows = 48, kWidth = 32;
constexpr models::VocabularySizes kSizes{.source = 4 + kSymbols, .target = 4 + kSymbols};

struct System {
  std::string name;
  models::ArchitectureOptions options;
  int steps = 400;
  double learning_rate = 5e-3;
};

models::ArchitectureOptions recurrent(const models::DecoderAttentionOptions& attention) {
  models::ArchitectureOptions options;
  options.d_model = kWidth;
  options.dropout = 0;
  options.tied_embeddings = models::TiedEmbeddings::None;
  options.encoder.type = models::RnnEncoderOptions{.stack = {.hidden = kWidth}};
  models::RnnDecoderOptions decoder{
      .stack = {.hidden = 2 * kWidth}, .initial_state = {}, .attention = {}, .readout = {}};
  decoder.attention = attention;
  decoder.readout = models::TanhReadout{};
  options.decoder.type = decoder;
  return options;
}

std::array<models::RnnStackOptions*, 2> stacks_of(models::ArchitectureOptions& options) {
  return {&std::get<models::RnnEncoderOptions>(options.encoder.type).stack,
          &std::get<models::RnnDecoderOptions>(options.decoder.type).stack};
}

models::ArchitectureOptions with_memory_tapes() {
  models::ArchitectureOptions options = recurrent(models::AttentionBeforeCell{});
  for (models::RnnStackOptions* stack : stacks_of(options)) {
    stack->cell = nn::CellKind::Lstm;
    stack->memory_tape = true;
  }
  return options;
}

/// Stacked LSTMs and input feeding (Luong et al. 2015).
models::ArchitectureOptions stacked() {
  models::ArchitectureOptions options = recurrent(models::AttentionAfterCell{.attend = {.score = nn::GeneralScore{}}});
  for (models::RnnStackOptions* stack : stacks_of(options)) {
    stack->cell = nn::CellKind::Lstm;
    stack->layers = 2;
  }
  return options;
}

/// All that is known of the source is one vector (Sutskever et al. 2014).
models::ArchitectureOptions of_a_fixed_vector() {
  models::ArchitectureOptions options = recurrent(models::NoMemoryAttention{});
  auto& decoder = std::get<models::RnnDecoderOptions>(options.decoder.type);
  decoder.initial_state = models::BridgeState{};
  for (models::RnnStackOptions* stack : stacks_of(options)) stack->hidden = 4 * kWidth;
  return options;
}

models::ArchitectureOptions convolutional() {
  models::ArchitectureOptions options = testing::tiny_convolution();
  options.d_model = kWidth;
  std::get<models::ConvolutionEncoderOptions>(options.encoder.type).stack.hidden = 2 * kWidth;
  std::get<models::ConvolutionDecoderOptions>(options.decoder.type).stack.hidden = 2 * kWidth;
  return options;
}

models::ArchitectureOptions transformer() {
  models::ArchitectureOptions options = testing::tiny_transformer();
  options.d_model = kWidth;
  for (auto* stack : {&testing::encoder_stack(options), &testing::decoder_stack(options)}) {
    stack->norm_order = models::PreNorm{};
    stack->feed_forward.d_hidden = 2 * kWidth;
  }
  return options;
}

models::ArchitectureOptions mixed(models::ArchitectureOptions encoder, const models::ArchitectureOptions& decoder) {
  encoder.decoder = decoder.decoder;
  return encoder;
}

std::vector<System> systems() {
  const nn::MemoryAttentionOptions dot{.score = nn::DotScore{}};
  const nn::MemoryAttentionOptions covered{.coverage = nn::LinguisticCoverage{}};
  const nn::MemoryAttentionOptions gumbel{.function = nn::GumbelAttention{}};
  const nn::MemoryAttentionOptions hard{.function = nn::HardAttention{.expected_share = 0.5}};
  const nn::MemoryAttentionOptions sampled{.function = nn::HardAttention{}};
  const nn::MemoryAttentionOptions sparse{.function = nn::SparsemaxAttention{}};
  const nn::MemoryAttentionOptions located{.score = nn::LocationScore{.max_source = kLength + 1}};
  const nn::MemoryAttentionOptions local{.window = nn::PredictedWindow{.half_width = 3}};
  return {{"additive", recurrent(models::AttentionBeforeCell{})},
          {"dot", recurrent(models::AttentionAfterCell{.attend = dot})},
          {"coverage", recurrent(models::AttentionBeforeCell{.attend = covered})},
          {"gumbel", recurrent(models::AttentionBeforeCell{.attend = gumbel}), 600},
          {"hard", recurrent(models::AttentionBeforeCell{.attend = hard}), 600},
          {"hard_sampled", recurrent(models::AttentionBeforeCell{.attend = sampled}), 800},
          {"sparsemax", recurrent(models::AttentionBeforeCell{.attend = sparse})},
          {"location", recurrent(models::AttentionBeforeCell{.attend = located})},
          {"local_p", recurrent(models::AttentionBeforeCell{.attend = local})},
          {"luong", stacked()},
          {"fixed_vector", of_a_fixed_vector(), 1000},
          {"convolution", convolutional(), 400},
          {"transformer", transformer(), 600, 3e-3},
          {"memory_tape", with_memory_tapes(), 200},
          {"transformer_to_recurrent", mixed(transformer(), recurrent(models::AttentionBeforeCell{}))},
          {"recurrent_to_transformer", mixed(recurrent({}), transformer())}};
}

data::MicroBatch random_batch(bool reverse, uint64_t number) {
  RandomStream random(5, Purpose::Test, number);
  std::vector<text::Ids> sources(kRows), targets;
  for (text::Ids& source : sources) {
    for (int64_t i = 0; i < kLength; ++i) source.push_back(static_cast<int32_t>(4 + random.below(kSymbols)));
    targets.push_back(source);
    if (reverse) std::ranges::reverse(targets.back());
  }
  std::vector<data::BatchPair> pairs;
  for (size_t i = 0; i < sources.size(); ++i) pairs.push_back({.line = 0, .source = sources[i], .target = targets[i]});
  return data::make_batch(pairs, /*has_source=*/true);
}

/// The share of rows whose every token is the likeliest one after the true ones before it: those that greedy search
/// gets right.
double rows_right(models::Model& model, const data::MicroBatch& batch) {
  const at::NoGradGuard no_grad;
  model.eval();
  const Tensor source = torch::tensor(batch.source.ids).view({batch.source.rows, batch.source.columns});
  const Tensor target = torch::tensor(batch.tokens().ids).view({batch.tokens().rows, batch.tokens().columns});
  const models::Memory memory = model.encode(source);
  const Tensor logits = model.logits(model.decoder->forward(target.slice(1, 0, -1), &memory).hidden);
  return logits.argmax(-1).eq(target.slice(1, 1)).all(1).to(at::kFloat).mean().item<double>();
}

class Copying : public ::testing::TestWithParam<std::tuple<System, bool>> {};

TEST_P(Copying, IsLearned) {
  const auto& [system, reverse] = GetParam();
  const auto model = models::build_model(system.options, kSizes, 1);
  const auto optimizer = make_optimizer(AdamOptions{}, trainable_parameters(*model));
  std::vector<Tensor> parameters = model->parameters();
  for (int step = 1; step <= system.steps; ++step) {
    const nn::RandomScope scope(1, static_cast<uint64_t>(step), 0);
    const data::MicroBatch batch = random_batch(reverse, static_cast<uint64_t>(step));
    for (Tensor& parameter : parameters) parameter.mutable_grad() = Tensor();
    (part_loss(*model, batch, c10::kCPU, {}).loss / batch.target_tokens).backward();
    torch::nn::utils::clip_grad_norm_(parameters, 1);
    const double warm_up = step / 50.0, decay = 3.0 * (system.steps - step) / system.steps;
    optimizer->step(system.learning_rate * std::min({1.0, warm_up, decay}));
  }
  EXPECT_GE(rows_right(*model, random_batch(reverse, 0)), 0.9);
}

INSTANTIATE_TEST_SUITE_P(Length8, Copying, ::testing::Combine(::testing::ValuesIn(systems()), ::testing::Bool()),
                         [](const auto& given) {
                           return std::get<0>(given.param).name + (std::get<1>(given.param) ? "_reversed" : "_copied");
                         });

}  // namespace
}  // namespace heed::training
