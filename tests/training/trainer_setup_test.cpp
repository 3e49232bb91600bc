#include "heed_torch/training/trainer_setup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <variant>

#include "heed/core/error.h"
#include "support/message_of.h"
#include "support/tiny_models.h"
#include "training/toy_task.h"

namespace heed::training {
namespace {

using heed::testing::ToyTask;

TEST(ReplicaCount, IsOneAThreadOnTheCpuAndOneElsewhere) {
  EXPECT_EQ(replica_count({}, c10::kCPU, 4), 4);
  EXPECT_EQ(replica_count({.replicas = 3}, c10::kCPU, 4), 3);
  EXPECT_EQ(replica_count({}, c10::kCUDA, 4), 1);
  EXPECT_THROW(replica_count({.replicas = 2}, c10::kCUDA, 4), ConfigError);
}

TEST(TrainerSetup, IsReadInPartsForEachReplica) {
  const ToyTask task;
  TrainerSetup setup = task.setup();
  setup.stream.micro_batches = 2;
  setup.train.replicas = 3;
  EXPECT_EQ(stream_of(setup).micro_batches, 6);
}

/// What the computer of this setup makes of the first step of the text; its model stays as it is.
StepResult first_update(const TrainerSetup& setup, double teacher_forcing = 1) {
  RecurrentStates carried(0);
  data::BatchStream stream(setup.text->batches(setup.tokenizers, setup.stream, {}, 1), setup.stream);
  return make_computer(setup, carried).compute(stream.next(), {.number = 1, .teacher_forcing = teacher_forcing});
}

TEST(TrainerSetup, HandsOnWhatTheLossIsMadeOf) {
  const ToyTask task;
  TrainerSetup setup = task.setup();
  const StepResult plain = first_update(setup);
  EXPECT_EQ(first_update(setup).loss, plain.loss);
  EXPECT_NEAR(plain.loss, plain.nll, 1e-6) << "no smoothing";
  setup.train.label_smoothing = 0.2;
  EXPECT_NE(first_update(setup).loss, plain.loss);
  EXPECT_EQ(first_update(setup).nll, plain.nll);
  setup.train.label_smoothing = 0;
  setup.train.r_drop = 5;
  EXPECT_GT(first_update(setup).loss, first_update(setup).nll) << "the divergence of two readings";
  const double read_twice = first_update(setup).loss;
  setup.train.r_drop_cutoff.type = nn::TokenCutoff{.share = 0.5};
  EXPECT_NE(first_update(setup).loss, read_twice) << "the second reading sees less";
  setup.train.r_drop_cutoff = {};
  setup.train.r_drop = 0;
  setup.teachers = {task.setup().model};
  setup.teachers[0]->eval();
  const double taught = first_update(setup).loss;
  EXPECT_NE(taught, plain.loss) << "teachers";
  setup.train.teacher_weight = 0.25;
  const double less_taught = first_update(setup).loss;
  EXPECT_NE(less_taught, taught);
  setup.train.teacher_temperature = 2;
  EXPECT_NE(first_update(setup).loss, less_taught);
  setup.teachers = {};
  setup.train.minimum_risk.type = SampledRisk{};
  EXPECT_NE(first_update(setup).loss, plain.loss) << "risk";
  setup.train.minimum_risk = {};
  setup.seed += 1;
  EXPECT_NE(first_update(setup).loss, plain.loss) << "other masks of dropout";
  setup.seed -= 1;
  setup.train.precision = Precision::Bf16;
  EXPECT_NE(first_update(setup).loss, plain.loss) << "rounded products";
}

TEST(TrainerSetup, HandsOnWhichWordOfItsOwnADecoderReads) {
  const ToyTask task;
  TrainerSetup setup = task.setup();
  setup.model = models::build_model(heed::testing::tiny_rnn(), setup.model->sizes(), 7);
  setup.train.sampling.type = LinearSampling{.word = OwnWord::Sampled};
  const double sampled = first_update(setup, 0).loss;
  setup.train.sampling.type = LinearSampling{.word = OwnWord::Best};
  EXPECT_NE(first_update(setup, 0).loss, sampled);
}

TEST(TrainerSetup, HandsOnTheLargestNorm) {
  const ToyTask task;
  TrainerSetup setup = task.setup();
  setup.train.clip_norm = 0.01;
  const StepResult computed = first_update(setup);
  ASSERT_GT(computed.gradient_norm, 0.1);
  double square = 0;
  for (const auto& parameter : setup.model->parameters()) square += parameter.grad().square().sum().item<double>();
  EXPECT_NEAR(std::sqrt(square), 0.01, 1e-5);
}

TEST(TrainerSetup, ValidatesWithTheModelsSearch) {
  const ToyTask task;
  TrainerSetup setup = task.setup();
  setup.valid.metric = ValidationMetric::Bleu;
  setup.valid.translate = TranslateValidText{.beam = 2, .samples = 50};
  const auto hypotheses = [&] {
    std::string all;
    for (const SampleTranslation& sample : make_validator(setup)->validate(StopRequest()).samples) {
      all += sample.hypothesis + '\n';
    }
    return all;
  };
  const std::string of_beam_2 = hypotheses();
  setup.search.beam = 1;
  EXPECT_EQ(hypotheses(), of_beam_2) << "the beam is valid.beam's";
  setup.search.max_length_factor = 0;
  setup.search.max_length_constant = 3;
  const std::string three = hypotheses();
  setup.search.max_length_constant = 1;
  const std::string one = hypotheses();
  EXPECT_LT(one.size(), three.size());
  EXPECT_EQ(std::ranges::count(one, ' '), 0) << "no translation is longer than a word";
  setup.translator.max_source_length = 2;
  EXPECT_GT(std::ranges::count(hypotheses(), ' '), 0) << "lines are translated in parts of two words";
}

TEST(TrainerSetup, OfRDropNeedsReadingsThatDifferAndNoSampledPositions) {
  const ToyTask task;
  TrainerSetup setup = task.setup();
  setup.train.r_drop = 5;
  const auto refusal = [&](const std::function<void(models::ArchitectureOptions&)>& change) {
    models::ArchitectureOptions architecture = heed::testing::tiny_rnn();
    architecture.dropout = 0.1;
    change(architecture);
    const int64_t size = setup.tokenizers.target->size();
    setup.model = models::build_model(architecture, {.source = size, .target = size}, 7);
    return heed::testing::message_of<ConfigError>([&] { validate(setup); });
  };
  EXPECT_EQ(refusal([](auto& architecture) { architecture.dropout = 0; }),
            "`train.r-drop` must be 0 without dropout (arch.dropout): two readings of a sentence are equal");
  EXPECT_EQ(refusal([](auto& architecture) {
              auto& attention = std::get<models::RnnDecoderOptions>(architecture.decoder.type).attention;
              attention = models::AttentionAfterCell{.attend = {.function = nn::HardAttention{}}};
            }),
            "`train.r-drop` must be 0 with arch.decoder.attention-function hard: the choices of a reading learn only "
            "from its own loss");
  setup.train.r_drop_cutoff.type = nn::TokenCutoff{};
  EXPECT_EQ(refusal([](auto& architecture) { architecture.dropout = 0; }), "nothing was thrown")
      << "with cutoff the readings differ";
  setup.train.r_drop = 0;
  EXPECT_EQ(refusal([](auto&) {}), "`train.r-drop-cutoff.type` must be none without `train.r-drop`");
  setup.train.r_drop_cutoff = {};
  setup.train.r_drop_start = {100};
  EXPECT_EQ(refusal([](auto&) {}), "`train.r-drop-start` has no effect without `train.r-drop`");
  setup.train.r_drop_start = {};
  EXPECT_NO_THROW(validate(setup));
}

TEST(TrainerSetup, OfScheduledSamplingNeedsADecoderThatReadsWordByWord) {
  const ToyTask task;
  TrainerSetup setup = task.setup();
  setup.train.sampling.type = InverseSigmoidSampling{};
  const auto refusal = [&](models::ArchitectureOptions architecture) {
    const int64_t size = setup.tokenizers.target->size();
    setup.model = models::build_model(architecture, {.source = size, .target = size}, 7);
    return heed::testing::message_of<ConfigError>([&] { validate(setup); });
  };
  EXPECT_EQ(refusal(heed::testing::tiny_transformer()),
            "`train.scheduled-sampling.type` must be none but with `arch.decoder.type` = rnn, which reads one word "
            "after the other");
  setup.train.r_drop = 5;
  models::ArchitectureOptions dropping = heed::testing::tiny_rnn();
  dropping.dropout = 0.1;
  EXPECT_EQ(refusal(dropping),
            "`train.scheduled-sampling.type` must be none with train.r-drop, whose two readings are of the same words");
  setup.train.r_drop = 0;
  EXPECT_NO_THROW(validate(setup));
}

}  // namespace
}  // namespace heed::training
