// Scheduled sampling: its schedules by hand, and what a decoder reads, against the same words read by forward().
#include "heed_torch/training/step/scheduled_sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <torch/torch.h>

#include "heed/data/batches/batching.h"
#include "heed_torch/nn/random/random_scope.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "support/tiny_models.h"

namespace heed::training {
namespace {

using models::Memory;
using models::Model;

TEST(SamplingSchedule, IsThatOfThePaper) {
  const auto share = [](const SamplingSchedule& schedule, double steps) {
    return teacher_forcing(schedule, {.steps = steps, .tokens = 0, .epochs = steps / 10});
  };
  EXPECT_EQ(share({}, 1e9), 1);
  const SamplingSchedule linear{LinearSampling{.length = {200}, .minimum = 0.25}};
  EXPECT_EQ(share(linear, 0), 1);
  EXPECT_EQ(share(linear, 100), 0.5);
  EXPECT_EQ(share(linear, 190), 0.25);
  EXPECT_EQ(share({LinearSampling{.length = {20, AmountUnit::Epochs}}}, 50), 0.75);
  EXPECT_EQ(share({ExponentialSampling{.k = 0.5}}, 0), 1);
  EXPECT_EQ(share({ExponentialSampling{.k = 0.5}}, 3), 0.125);
  const SamplingSchedule sigmoid{InverseSigmoidSampling{.k = 4}};
  EXPECT_DOUBLE_EQ(share(sigmoid, 0), 0.8);
  EXPECT_DOUBLE_EQ(share(sigmoid, 8), 4 / (4 + std::exp(2)));
  EXPECT_EQ(share(sigmoid, 1e6), 0) << "exp overflows to infinity";
}

constexpr int64_t kSentences = 3, kSourceLength = 4, kTargetLength = 6, kWords = 20;

std::shared_ptr<Model> make_reader(models::ArchitectureOptions options, bool has_source = true) {
  if (!has_source) {
    options.encoder.type = models::NoEncoderOptions{};
    auto& decoder = std::get<models::RnnDecoderOptions>(options.decoder.type);
    decoder.attention = models::NoMemoryAttention{};
    decoder.initial_state = models::ZeroState{};
    decoder.readout = models::TanhReadout{};
  }
  auto model = models::build_model(options, {.source = has_source ? kWords : 0, .target = kWords}, 5);
  const torch::NoGradGuard no_grad;
  for (auto& parameter : model->parameters()) parameter.mul_(2);  // words that differ from place to place
  return model;
}

Tensor random_words(int64_t length) {
  torch::manual_seed(1);
  Tensor words = torch::randint(4, kWords, {kSentences, length}, torch::kLong);
  words.select(1, 0) = 2;
  return words;
}

/// What greedy reading feeds itself: bos, then at each place the most probable word behind those before it.
Tensor greedy_input(Model& model, const Memory* memory) {
  Tensor words = random_words(kTargetLength).narrow(1, 0, 1);
  while (words.size(1) < kTargetLength) {
    const Tensor last = model.decoder->forward(words, memory).hidden.narrow(1, words.size(1) - 1, 1);
    words = torch::cat({words, model.logits(last).argmax(-1)}, 1);
  }
  return words;
}

double distance(const Tensor& a, const Tensor& b) { return (a - b).abs().max().item<double>(); }

class ReadSampling : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    models::ArchitectureOptions options = heed::testing::tiny_rnn();
    auto& decoder = std::get<models::RnnDecoderOptions>(options.decoder.type);
    if (GetParam() == std::string("before")) decoder.attention = models::AttentionBeforeCell{};
    if (GetParam() == std::string("after")) decoder.attention = models::AttentionAfterCell{};
    model_ = make_reader(options, GetParam() != std::string("language model"));
    if (model_->encoder) memory_ = model_->encode(random_words(kSourceLength));
  }
  const Memory* memory() const { return memory_ ? &*memory_ : nullptr; }
  Tensor read(const SampledReading& reading, uint64_t step = 1) {
    const nn::RandomScope random(1, step, 0);
    return read_sampling(*model_, random_words(kTargetLength), memory(), reading).hidden;
  }

  std::shared_ptr<Model> model_;
  std::optional<Memory> memory_;
};

TEST_P(ReadSampling, OfTheTargetsWordsAloneIsForward) {
  const Tensor forced = model_->decoder->forward(random_words(kTargetLength), memory()).hidden;
  EXPECT_LT(distance(read({.teacher_forcing = 1}), forced), 1e-4);
}

TEST_P(ReadSampling, OfItsBestWordsAloneIsGreedy) {
  const Tensor greedy = greedy_input(*model_, memory());
  EXPECT_GT((greedy != random_words(kTargetLength)).sum().item<int64_t>(), 5) << "another text than the target";
  const Tensor own = model_->decoder->forward(greedy, memory()).hidden;
  EXPECT_LT(distance(read({.teacher_forcing = 0, .word = OwnWord::Best}), own), 1e-4);
}

TEST_P(ReadSampling, DrawsWhichWordsItReads) {
  const SampledReading half{.teacher_forcing = 0.5, .word = OwnWord::Best};
  EXPECT_EQ(distance(read(half), read(half)), 0) << "of one update the same";
  EXPECT_GT(distance(read(half, 1), read(half, 2)), 1e-3);
  EXPECT_GT(distance(read({.teacher_forcing = 0}, 1), read({.teacher_forcing = 0}, 2)), 1e-3) << "words are sampled";
  EXPECT_EQ(distance(read(half, 1).select(1, 0), read(half, 2).select(1, 0)), 0) << "begin-of-sentence is always read";
}

TEST_P(ReadSampling, TossesACoinForEachWordOfEachSentence) {
  const auto alike = [](int64_t length) { return random_words(length).narrow(0, 0, 1).repeat({kSentences, 1}); };
  if (model_->encoder) memory_ = model_->encode(alike(kSourceLength));
  const nn::RandomScope random(1, 2, 0);
  const SampledReading half{.teacher_forcing = 0.5, .word = OwnWord::Best};
  const Tensor hidden = read_sampling(*model_, alike(kTargetLength), memory(), half).hidden;
  EXPECT_GT(distance(hidden, hidden.narrow(0, 0, 1)), 1e-3) << "sentences that are alike, read alike";
}

INSTANTIATE_TEST_SUITE_P(Decoders, ReadSampling, ::testing::Values("none", "before", "after", "language model"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

/// The words that a sampled reading draws have the model's probabilities.
TEST(SampledWords, AreDrawnByTheModelsProbabilities) {
  const auto model = make_reader(heed::testing::tiny_rnn(), false);
  const Tensor target = torch::full({4000, 2}, 2, torch::kLong);
  const nn::RandomScope random(1, 1, 0);
  const Tensor read =
      read_sampling(*model, target, nullptr, {.teacher_forcing = 0}).hidden.select(1, 1);  // [4000, d_model]
  const Tensor probabilities =
      model->logits(model->decoder->forward(target.slice(0, 0, 1).slice(1, 0, 1), nullptr).hidden).flatten().softmax(0);
  for (int64_t word = 0; word < kWords; ++word) {
    const Tensor behind = model->decoder->forward(torch::tensor({{int64_t{2}, word}}), nullptr).hidden.select(1, 1);
    const double share = (read - behind).abs().amax(1).lt(1e-5).to(torch::kFloat).mean().item<double>();
    EXPECT_NEAR(share, probabilities[word].item<double>(), 0.03) << word;
  }
}

TEST(ScheduledSampling, IsForTrainingAlone) {
  auto options = heed::testing::tiny_rnn();
  const auto model = make_reader(options);
  const std::vector<text::Ids> sources{{5, 6}, {4}}, targets{{7, 8, 9, 10}, {5, 6, 7}};
  const std::vector<data::BatchPair> pairs{{.line = 0, .source = sources[0], .target = targets[0]},
                                           {.line = 1, .source = sources[1], .target = targets[1]}};
  const data::MicroBatch batch = data::make_batch(pairs, true);
  const auto loss = [&](double forced) {
    const nn::RandomScope random(1, 1, 0);
    return part_loss(*model, batch, c10::kCPU, {}, nullptr, forced).loss.item<double>();
  };
  model->train();
  const double taught = loss(1);
  EXPECT_GT(std::abs(loss(0) - taught), 1e-3);
  EXPECT_EQ(loss(0), loss(0));
  model->eval();
  EXPECT_NEAR(loss(0), taught, 1e-4) << "no dropout here, so that both read alike";
  EXPECT_EQ(loss(0), loss(1));
}

TEST(ScheduledSampling, HasTheGradientsOfTheWordsRead) {
  const auto model = make_reader(heed::testing::tiny_rnn());
  const Tensor source = random_words(kSourceLength);
  const auto gradient = [&](const std::function<Tensor(const Memory&)>& read) {
    model->zero_grad();
    const Memory memory = model->encode(source);
    model->logits(read(memory)).log_softmax(-1).select(-1, 7).sum().backward();
    std::vector<Tensor> parts;
    for (const auto& parameter : model->parameters()) {
      parts.push_back((parameter.grad().defined() ? parameter.grad() : torch::zeros_like(parameter)).flatten().clone());
    }
    return torch::cat(parts);
  };
  const Memory memory = model->encode(source);
  const Tensor greedy = greedy_input(*model, &memory);
  const Tensor expected = gradient([&](const Memory& m) { return model->decoder->forward(greedy, &m).hidden; });
  const Tensor found = gradient([&](const Memory& m) {
    const nn::RandomScope random(1, 1, 0);
    return read_sampling(*model, random_words(kTargetLength), &m, {.teacher_forcing = 0, .word = OwnWord::Best}).hidden;
  });
  EXPECT_LT(distance(found, expected), 1e-4 * expected.abs().max().item<double>());
}

}  // namespace
}  // namespace heed::training
