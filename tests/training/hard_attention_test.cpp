// The gradient of sampled attention: its mean over many samples is that of the expected loss, computed by enumerating
// every path of samples.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <map>
#include <string>

#include "heed/data/batches/batching.h"
#include "heed_torch/nn/losses/reinforce_loss.h"
#include "heed_torch/nn/random/random_scope.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "support/tiny_models.h"

namespace heed::training {
namespace {

constexpr double kSmoothing = 0.1;
constexpr int64_t kRows = 200, kParts = 100;

struct Case {
  bool before_cell;
  double expected_share;
};

models::ArchitectureOptions hard_attention(const Case& tested) {
  const nn::MemoryAttentionOptions attend{.function = nn::HardAttention{.expected_share = tested.expected_share}};
  models::ArchitectureOptions options = testing::tiny_rnn();
  options.d_model = 3;
  options.encoder.type = models::RnnEncoderOptions{.stack = {.hidden = 2}};
  models::RnnDecoderOptions decoder{.stack = {.hidden = 3}, .initial_state = {}, .attention = {}, .readout = {}};
  if (tested.before_cell) {
    decoder.attention = models::AttentionBeforeCell{.attend = attend};
  } else {
    decoder.attention = models::AttentionAfterCell{.attend = attend, .input_feeding = true};
  }
  options.decoder.type = decoder;
  return options;
}

/// The same pair again and again: a source of 3 positions, a target of 2.
data::MicroBatch repeated(int64_t rows) {
  const text::Ids source{5, 4}, target{4};
  const std::vector<data::BatchPair> pairs(static_cast<size_t>(rows), {.line = 0, .source = source, .target = target});
  return data::make_batch(pairs, /*has_source=*/true);
}

using Gradients = std::map<std::string, Tensor>;

Gradients take_gradients(models::Model& model) {
  Gradients gradients;
  for (auto& item : model.named_parameters()) {
    gradients[item.key()] = item.value().grad().defined() ? item.value().grad().to(at::kDouble).clone()
                                                          : at::zeros(item.value().sizes(), at::kDouble);
    item.value().mutable_grad() = Tensor();
  }
  return gradients;
}

/// Of the expected loss: sum over the paths of p(path) loss(path); of the baseline's parameters, those of its own
/// expected loss, which no other parameter knows. At each of the two positions a path has a source position or, with
/// the probability `expected_share`, the softmax itself.
Gradients enumerated(models::Model& model, double expected_share) {
  const size_t paths = expected_share > 0 ? 16 : 9;
  const data::MicroBatch batch = repeated(1);
  const Tensor source = torch::tensor(batch.source.ids).unsqueeze(0),
               target = torch::tensor(batch.tokens().ids).unsqueeze(0);
  std::map<std::string, Tensor> losses, of_baseline;  // of each path
  for (uint64_t sample = 0; losses.size() < paths && sample < 3000; ++sample) {
    const nn::RandomScope scope(1, sample, 0);
    const models::Memory memory = model.encode(source);
    const auto decoded = model.decoder->forward(target.slice(1, 0, -1), &memory, {.attention = true});
    const Tensor soft = decoded.attention.amax(-1).lt(0.9999);                          // [1, 2]
    const Tensor chosen = decoded.attention.argmax(-1).masked_fill(soft, /*value=*/3);  // [1, 2]
    const auto sum = nn::smoothed_cross_entropy(decoded.hidden.flatten(0, 1), model.output->matrix(),
                                                model.output->bias, target.slice(1, 1).flatten(), kSmoothing);
    const Tensor replaced = at::where(soft, expected_share, 1 - expected_share).prod();
    const Tensor p = decoded.samples.log_probability.sum().exp() * replaced;
    nn::SampledPositions baseline_only = decoded.samples;
    baseline_only.log_probability = decoded.samples.log_probability.detach();
    losses[c10::str(chosen)] = p * sum.loss;
    of_baseline[c10::str(chosen)] =
        p.detach() * nn::reinforce_loss(baseline_only, sum.rows.unsqueeze(0), at::ones({1, 2}, at::kBool));
  }
  EXPECT_EQ(losses.size(), paths) << "not every path was sampled";
  for (const auto& [path, loss] : of_baseline) loss.backward({}, /*keep_graph=*/true);
  const Gradients baseline = take_gradients(model);
  for (const auto& [path, loss] : losses) loss.backward();
  Gradients gradients = take_gradients(model);
  for (auto& [name, gradient] : gradients) {
    if (name.find("attention.baseline.") != std::string::npos) gradient = baseline.at(name);
  }
  return gradients;
}

class SampledGradient : public ::testing::TestWithParam<Case> {};

TEST_P(SampledGradient, TheMeanOf20000SampledGradientsIsTheEnumeratedOne) {
  const auto model = models::build_model(hard_attention(GetParam()), {.source = 6, .target = 6}, 7);
  const Gradients expected = enumerated(*model, GetParam().expected_share);
  std::map<std::string, std::vector<Tensor>> sampled;  // of each part, a mean over its rows
  const data::MicroBatch batch = repeated(kRows);
  for (int64_t part = 0; part < kParts; ++part) {
    const nn::RandomScope scope(2, 0, static_cast<uint64_t>(part));
    part_loss(*model, batch, c10::kCPU, {.label_smoothing = kSmoothing}).loss.backward();
    for (auto& [name, gradient] : take_gradients(*model)) sampled[name].push_back(gradient / kRows);
  }
  for (const auto& [name, gradient] : expected) {
    const Tensor all = at::stack(sampled[name]);
    const Tensor error = all.std(0) / std::sqrt(static_cast<double>(kParts));
    const Tensor beyond = (all.mean(0) - gradient).abs() - (3 * error + 1e-6);
    EXPECT_LE(beyond.max().item<double>(), 0) << name;
  }
}

TEST_P(SampledGradient, TheBaselineLearnsFromItsOwnLossOnly) {
  const auto model = models::build_model(hard_attention(GetParam()), {.source = 6, .target = 6}, 7);
  const nn::RandomScope scope(2, 0, 0);
  const data::MicroBatch batch = repeated(1);
  const Tensor source = torch::tensor(batch.source.ids).unsqueeze(0),
               target = torch::tensor(batch.tokens().ids).unsqueeze(0);
  const models::Memory memory = model->encode(source);
  nn::SampledPositions samples = model->decoder->forward(target.slice(1, 0, -1), &memory).samples;
  samples.log_probability = samples.log_probability.detach();
  samples.entropy = samples.entropy.detach();
  nn::reinforce_loss(samples, at::ones({1, 2}), at::ones({1, 2}, at::kBool)).backward();
  for (const auto& [name, gradient] : take_gradients(*model)) {
    if (name.find("attention.baseline.") != std::string::npos) {
      EXPECT_GT(gradient.abs().max().item<double>(), 0) << name;
    } else {
      EXPECT_EQ(gradient.abs().max().item<double>(), 0) << name;
    }
  }
}

TEST_P(SampledGradient, TheBaselineBeginsBelowTheLoss) {
  const auto model = models::build_model(hard_attention(GetParam()), {.source = 6, .target = 6}, 7);
  const nn::RandomScope scope(2, 0, 0);
  part_loss(*model, repeated(4), c10::kCPU, {.label_smoothing = kSmoothing}).loss.backward();
  EXPECT_LT(take_gradients(*model).at("decoder.attention.baseline.bias").item<double>(), 0) << "losses are positive";
}

INSTANTIATE_TEST_SUITE_P(Places, SampledGradient, ::testing::Values(Case{true, 0}, Case{false, 0}, Case{true, 0.5}),
                         [](const auto& tested) {
                           return std::string(tested.param.before_cell ? "before" : "after") +
                                  (tested.param.expected_share > 0 ? "_partly_expected" : "");
                         });

}  // namespace
}  // namespace heed::training
