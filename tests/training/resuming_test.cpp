// A training that was interrupted ends as if it had not been.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <thread>

#include "heed/core/error.h"
#include "heed/model_directory/manifest.h"
#include "support/message_of.h"
#include "training/recorded_training.h"
#include "training/toy_task.h"

namespace heed::training {
namespace {

namespace fs = std::filesystem;
using heed::testing::ToyTask;

class Resuming : public ::testing::Test {
 protected:
  /// Compares 13 steps in one go with the same 13 interrupted, by default in mid-epoch and between validations.
  /// Returns the part before the interruption.
  Trained expect_bit_exact(const std::function<void(TrainerSetup&)>& change, double stop_at = 5,
                           const std::string& name = "") {
    const std::string in_one_go = task.model_directory("whole" + name), in_parts = task.model_directory("parts" + name);
    const auto setup = [&] {
      TrainerSetup made = task.setup();
      made.train.max_steps = 13;
      made.valid.every = {4};
      made.log.every = {1};
      change(made);
      return made;
    };
    const Trained whole = train(setup(), in_one_go);
    const Trained first = train(setup(), in_parts, stop_at);
    EXPECT_FALSE(first.outcome.finished);
    EXPECT_EQ(first.outcome.progress.steps, stop_at);
    const Trained second = train(setup(), in_parts);
    EXPECT_TRUE(second.outcome.finished);
    EXPECT_TRUE(second.recorder.starts[0].resumed);
    EXPECT_EQ(second.recorder.trainings[0].progress.steps, stop_at + 1);
    EXPECT_EQ(first.recorder.validations.size() + second.recorder.validations.size(),
              whole.recorder.validations.size());
    EXPECT_EQ(second.outcome.final->candidates.back().steps, whole.outcome.final->candidates.back().steps);
    expect_same_end(in_one_go, in_parts, 13);
    expect_equal(checkpoint::read_tensors(in_one_go + "/model.safetensors").tensors,
                 checkpoint::read_tensors(in_parts + "/model.safetensors").tensors);
    return first;
  }

  TrainerSetup of_nine_updates(Amount valid_every) const {
    TrainerSetup made = task.setup();
    made.train.max_steps = 9;
    made.valid.every = valid_every;
    made.log.every = {1};
    return made;
  }

  const ToyTask task;
};

TEST_F(Resuming, IsBitExactWithAdam) {
  expect_bit_exact([](TrainerSetup& setup) {
    setup.train.schedule = InverseSqrtSchedule{.learning_rate = 1e-3, .warmup = {6}};
    setup.train.label_smoothing = 0.1;
  });
}

/// R-Drop begins after the interruption.
TEST_F(Resuming, IsBitExactWithEveryRegularization) {
  const auto teacher = task.setup().model;
  teacher->eval();
  expect_bit_exact([&](TrainerSetup& setup) {
    models::ArchitectureOptions architecture = setup.model->options();
    architecture.word_dropout = 0.1;
    heed::testing::decoder_of(architecture).output_dropout = 0.1;
    for (models::TransformerOptions* stack :
         {&heed::testing::encoder_stack(architecture), &heed::testing::decoder_stack(architecture)}) {
      stack->layer_dropout = 0.3;
      stack->query_key_value_dropout = 0.1;
      stack->query_key_norm = nn::NormKind::Rms;
    }
    setup.model = models::build_model(architecture, setup.model->sizes(), 7);
    setup.train.r_drop = 5;
    setup.train.r_drop_start = {8};
    setup.train.r_drop_cutoff.type = nn::SpanCutoff{.share = 0.2};
    setup.teachers = {teacher};
  });
}

TEST_F(Resuming, IsBitExactWithMinimumRisk) {
  expect_bit_exact([](TrainerSetup& setup) { setup.train.minimum_risk.type = SampledRisk{.samples = 3}; });
}

TEST_F(Resuming, IsBitExactWithAPlateauScheduleThatFell) {
  for (const int64_t patience : {1, 2}) {
    const Trained first = expect_bit_exact(
        [&](TrainerSetup& setup) {
          setup.train.optimizer = SgdOptions{.momentum = 0.9};
          // A score is never better by 1000: with a patience of 1 the rate falls at each validation but the first.
          setup.train.schedule = PlateauSchedule{.learning_rate = 0.01, .patience = patience};
          setup.valid.min_delta = 1000;
        },
        10, std::to_string(patience));
    EXPECT_EQ(first.recorder.trainings.back().learning_rate, patience == 1 ? 0.005 : 0.01);
  }
}

/// The loss decides between scores of translations that are equal to a tenth.
TEST_F(Resuming, IsBitExactWhereTheLossDecidesBetweenScores) {
  const Trained first = expect_bit_exact(
      [](TrainerSetup& setup) {
        setup.train.schedule = PlateauSchedule{.learning_rate = 1e-3, .patience = 1};
        setup.valid.every = {2};
        setup.valid.translate = TranslateValidText{};
        setup.valid.metric = ValidationMetric::Bleu;
      },
      7);
  EXPECT_EQ(first.recorder.validations.size(), 3u);
}

TEST_F(Resuming, ASkippedUpdateIsStillCounted) {
  const auto setup = [&] { return of_nine_updates({20}); };
  TrainerSetup first = setup();
  const torch::Tensor weight = first.model->parameters()[0];
  const torch::Tensor sound = weight.detach().clone();
  const auto act = [&](const TrainingReport& report) {
    const torch::NoGradGuard no_grad;
    if (report.progress.steps == 3) weight.fill_(std::numeric_limits<float>::quiet_NaN());
    if (report.progress.steps == 4) weight.copy_(sound);
  };
  const Trained stopped = train(first, task.model_directory("run"), 5, act);
  EXPECT_EQ(stopped.recorder.trainings.back().skipped_steps, 1);
  const Trained second = train(setup(), task.model_directory("run"));
  EXPECT_EQ(second.recorder.trainings.back().skipped_steps, 1);
}

TEST_F(Resuming, ARunOfBadUpdatesGoesOn) {
  const auto setup = [&] {
    TrainerSetup made = of_nine_updates({20});
    made.train.max_nonfinite_steps = 3;
    return made;
  };
  TrainerSetup first = setup();
  const auto act = [&](const TrainingReport& report) {
    // Finite, so that it is saved, and its products are not.
    if (report.progress.steps == 3) first.model->parameters()[0].detach().fill_(1e38F);
  };
  train(first, task.model_directory("run"), 5, act);
  EXPECT_EQ(heed::testing::message_of<Error>([&] {
              train(setup(), task.model_directory("run"));
            }).find("the loss of step 6 is not finite"),
            0U)
      << "two were bad before";
}

TEST_F(Resuming, TheTimeSpentIsThatOfAllItsParts) {
  const auto act = [](const TrainingReport&) { std::this_thread::sleep_for(std::chrono::milliseconds(150)); };
  const Trained first = train(of_nine_updates({20}), task.model_directory("run"), 5, act);
  const double before = first.recorder.trainings.back().elapsed_seconds;
  EXPECT_GT(before, 0.6);
  const Trained second = train(of_nine_updates({20}), task.model_directory("run"));
  EXPECT_GT(second.recorder.trainings.front().elapsed_seconds, before);
}

TEST_F(Resuming, IsBitExactWithReplicasAndPartsOfABatch) {
  expect_bit_exact([](TrainerSetup& setup) {
    setup.threads = 2;
    setup.train.replicas = 2;
    setup.stream.micro_batches = 2;
    setup.train.schedule = CosineSchedule{.learning_rate = 1e-3, .warmup = {2}};
  });
}

TEST_F(Resuming, IsBitExactWithAnAverageOfTheWeights) {
  expect_bit_exact([](TrainerSetup& setup) { setup.train.ema_decay = 0.7; });
}

TEST_F(Resuming, IsBitExactWhileTheBatchAndTheLengthsGrow) {
  expect_bit_exact([](TrainerSetup& setup) {
    setup.stream.context = data::SentenceContext{
        .step_tokens = 240, .growth_epochs = 0.5, .curriculum_epochs = 0.5, .shuffle_window = 100};
  });
}

TEST_F(Resuming, IsBitExactWithOptimizersOfWholeMatrices) {
  expect_bit_exact([](TrainerSetup& setup) { setup.train.optimizer = MuonOptions{}; }, 5, "muon");
  expect_bit_exact([](TrainerSetup& setup) { setup.train.optimizer = AdafactorOptions{}; }, 5, "adafactor");
}

TEST_F(Resuming, IsBitExactWithoutASchedule) {
  expect_bit_exact([](TrainerSetup& setup) {
    setup.train.optimizer = ScheduleFreeOptions{};
    setup.train.schedule = ConstantSchedule{.learning_rate = 2e-3, .warmup = {8}};
  });
}

TEST_F(Resuming, FromTheStablePhaseOfWsdALimitMayComeNearer) {
  const auto setup = [&](int64_t steps) {
    TrainerSetup made = of_nine_updates({20});
    made.train.max_steps = steps;
    made.train.schedule = WsdSchedule{.learning_rate = 2e-3, .warmup = {2}};
    return made;
  };
  train(setup(10), task.model_directory("whole"));
  const Trained first = train(setup(100), task.model_directory("parts"), 8);
  EXPECT_EQ(first.recorder.trainings.back().learning_rate, 2e-3);
  const Trained second = train(setup(10), task.model_directory("parts"));
  EXPECT_LT(second.recorder.trainings.front().learning_rate, 2e-3) << "its decay begins";
  expect_same_end(task.model_directory("whole"), task.model_directory("parts"), 10);
}

TEST_F(Resuming, AnAverageOfTheWeightsMayBeginAndEnd) {
  const auto setup = [&](double decay) {
    TrainerSetup made = of_nine_updates({20});
    made.train.ema_decay = decay;
    return made;
  };
  const Trained whole = train(setup(0), task.model_directory("whole"));
  train(setup(0), task.model_directory("parts"), 3);
  train(setup(0.9), task.model_directory("parts"), 6);
  const Trained last = train(setup(0), task.model_directory("parts"));
  EXPECT_EQ(last.recorder.trainings.back().loss, whole.recorder.trainings.back().loss) << "the steps are the same";
  expect_equal(checkpoint::load_checkpoint(task.model_directory("whole"), 9).model,
               checkpoint::load_checkpoint(task.model_directory("parts"), 9).model);
}

TEST_F(Resuming, IsBitExactInFp16WithItsLossScale) {
  expect_bit_exact([](TrainerSetup& setup) { setup.train.precision = Precision::Fp16; });
}

TEST_F(Resuming, MakesUpForAValidationThatWasStopped) {
  const Trained stopped = expect_bit_exact([](TrainerSetup&) {}, 8);
  EXPECT_EQ(stopped.recorder.validations.size(), 1u);
}

TEST_F(Resuming, LeavesTheInterruptionOutOfTheAverage) {
  expect_bit_exact([](TrainerSetup& setup) { setup.train.average = AverageOfLast{.count = 3}; }, 11);
}

TEST_F(Resuming, LeavesTheInterruptionOutOfTheAverageWithoutValidationText) {
  expect_bit_exact(
      [](TrainerSetup& setup) {
        setup.validation.reset();
        setup.valid.patience = 0;
        setup.train.average = AverageOfLast{.count = 3};
      },
      11);
}

TEST_F(Resuming, MakesUpForTheLastValidationThatWasStopped) {
  TrainerSetup setup = task.setup();
  setup.train.max_steps = 6;
  setup.valid.every = {20};
  setup.log.every = {1};
  const Trained stopped = train(setup, task.model_directory("stopped"), 6);
  EXPECT_FALSE(stopped.outcome.finished);
  EXPECT_TRUE(stopped.recorder.validations.empty());
  setup.model = task.setup().model;
  const Trained finished = train(setup, task.model_directory("stopped"));
  EXPECT_TRUE(finished.outcome.finished);
  EXPECT_EQ(finished.recorder.validations.size(), 1u);
}

TEST_F(Resuming, ScoresUnderOtherConditionsBeginAgain) {
  TrainerSetup setup = of_nine_updates({2});
  setup.valid.min_delta = 1000;  // so that only the first is best
  setup.valid.patience = 9;
  setup.train.keep_best = 9;
  setup.train.schedule = PlateauSchedule{.learning_rate = 0.01, .factor = 0.5, .patience = 1};
  train(setup, task.model_directory("run"), 6);
  EXPECT_TRUE(checkpoint::best_checkpoint(task.model_directory("run")).has_value());
  setup.model = task.setup().model;
  setup.conditions.scores = "another text";
  setup.changes = {{.option = "valid-target", .before = "a", .now = "b"}};
  const Trained second = train(setup, task.model_directory("run"));
  ASSERT_EQ(second.recorder.changes, setup.changes);
  EXPECT_TRUE(second.recorder.validations.front().best) << "the first under these conditions";
  EXPECT_FALSE(second.recorder.validations.back().best);
  EXPECT_EQ(second.recorder.trainings.front().learning_rate, 0.005) << "what fell stays so";
  const std::string model = task.model_directory("run");
  const auto ranked = checkpoint::best_first(checkpoint::candidates(model));
  ASSERT_FALSE(ranked.empty());
  for (const auto& info : ranked) EXPECT_GE(info.step, 6) << "where the validation was made up for";
  EXPECT_EQ(checkpoint::list_checkpoints(model).back().scores.version, 1);
}

TEST_F(Resuming, ConditionsThatAnotherVersionSavedOtherwiseHold) {
  TrainerSetup setup = of_nine_updates({2});
  setup.conditions = {
      .scores = "valid.metric bleu", .order = "data.batch-tokens 60", .precision = "train.precision fp32"};
  train(setup, task.model_directory("run"), 6);
  setup.model = task.setup().model;
  setup.conditions = {.scores = "valid.beam 1, valid.metric bleu",
                      .order = "data.batch-tokens 60, data.corpus-weights ",
                      .precision = "train.precision fp32, train.new 0"};
  setup.conditions_before = setup.conditions;
  train(setup, task.model_directory("run"));
  const auto infos = checkpoint::list_checkpoints(task.model_directory("run"));
  EXPECT_EQ(infos.back().step, 9);
  EXPECT_EQ(infos.back().scores.version, 0);
}

TEST_F(Resuming, WithoutANewScoreWhatWasBestStays) {
  TrainerSetup setup = of_nine_updates({4});
  setup.train.average = AverageOfBest{.count = 2};
  train(setup, task.model_directory("run"));
  const auto published = checkpoint::read_manifest(task.model_directory("run")).origin;
  setup.model = task.setup().model;
  setup.train.max_steps = 20;
  setup.conditions.scores = "another text";
  train(setup, task.model_directory("run"), 10);
  EXPECT_EQ(checkpoint::read_manifest(task.model_directory("run")).origin, published);
}

TEST_F(Resuming, AnotherOrderGoesOnAtTheSameShareOfTheEpoch) {
  TrainerSetup setup = of_nine_updates({20});
  const Trained first = train(setup, task.model_directory("run"), 5);
  setup.model = task.setup().model;
  std::get<data::SentenceContext>(setup.stream.context) = {.step_tokens = 60, .shuffle_window = 200};
  setup.conditions.order = "another";
  const Trained second = train(setup, task.model_directory("run"));
  const double before = first.recorder.trainings.back().progress.epochs;
  const double after = second.recorder.trainings.front().progress.epochs;
  EXPECT_GT(after, before);
  EXPECT_LT(after, before + 0.05);
}

TEST_F(Resuming, APlateauOfAnotherRateHasNotFallen) {
  TrainerSetup setup = of_nine_updates({2});
  setup.valid.min_delta = 1000;
  setup.train.schedule = PlateauSchedule{.learning_rate = 0.01, .patience = 1};
  train(setup, task.model_directory("run"), 7);
  setup.model = task.setup().model;
  setup.train.schedule = PlateauSchedule{.learning_rate = 0.001, .patience = 1};
  setup.conditions.schedule = "another";
  const Trained second = train(setup, task.model_directory("run"));
  EXPECT_EQ(second.recorder.trainings.front().learning_rate, 0.001);
}

TEST_F(Resuming, AnotherPrecisionBeginsWithItsOwnLossScale) {
  TrainerSetup setup = of_nine_updates({20});
  train(setup, task.model_directory("run"), 5);
  setup.model = task.setup().model;
  setup.train.precision = Precision::Fp16;
  setup.conditions.precision = "fp16";
  train(setup, task.model_directory("run"));
  const auto last = checkpoint::load_checkpoint(task.model_directory("run"), 9);
  EXPECT_GT(read_state(last.state, "last").loss_scale.scale, 1);
}

TEST_F(Resuming, GoesOnFromTheCheckpointBeforeADamagedOne) {
  const auto setup = [&] { return of_nine_updates({2}); };
  train(setup(), task.model_directory("whole"));
  train(setup(), task.model_directory("parts"), 5);
  fs::resize_file(task.model_directory("parts") + "/checkpoints/0000005/optimizer.safetensors", 100);
  const Trained run = train(setup(), task.model_directory("parts"));
  EXPECT_EQ(run.recorder.starts[0].progress.steps, 4);
  expect_same_end(task.model_directory("whole"), task.model_directory("parts"), 9);
}

TEST_F(Resuming, ReportsOfAllUpdatesSinceTheReportBefore) {
  const auto setup = [&] {
    TrainerSetup made = of_nine_updates({3});
    made.log.every = {6};
    return made;
  };
  struct Stopper : Observer {
    StopRequest stop;
    void on_checkpoint(const std::string&, const Progress& progress) override {
      if (progress.steps == 3) stop.request();
    }
  } stopper;
  const Trained whole = train(setup(), task.model_directory("whole"));
  {
    checkpoint::RunDirectory directory(task.model_directory("parts"));
    EXPECT_FALSE(Trainer(setup(), directory, {&stopper}).train(stopper.stop).finished);
  }
  const Trained parts = train(setup(), task.model_directory("parts"));
  ASSERT_EQ(whole.recorder.trainings.size(), 1U);
  ASSERT_EQ(parts.recorder.trainings.size(), 1U);
  EXPECT_EQ(parts.recorder.trainings[0].objective, whole.recorder.trainings[0].objective);
  EXPECT_EQ(parts.recorder.trainings[0].loss, whole.recorder.trainings[0].loss);
}

TEST_F(Resuming, FromBeforeADamagedCheckpointKeepsWhatItSaves) {
  const auto setup = [&] { return of_nine_updates({4}); };
  train(setup(), task.model_directory("parts"), 7);
  fs::resize_file(task.model_directory("parts") + "/checkpoints/0000007/optimizer.safetensors", 100);
  const Trained run = train(setup(), task.model_directory("parts"), 5);
  EXPECT_EQ(run.recorder.starts[0].progress.steps, 4);
  EXPECT_TRUE(fs::exists(task.model_directory("parts") + "/checkpoints/0000005")) << "not older than the damaged one";
}

TEST_F(Resuming, WithALaterLimitAnEndThatWasSavedOnScheduleIsNoCandidate) {
  const auto setup = [&](int64_t steps) {
    TrainerSetup made = task.setup();
    made.train.max_steps = steps;
    made.train.save_every = Amount{2};
    made.train.average = AverageOfBest{.count = 4};
    made.train.keep_best = 4;
    made.valid.every = {4};
    return made;
  };
  const Trained whole = train(setup(12), task.model_directory("whole"));
  EXPECT_EQ(whole.outcome.final->candidates.back().steps, (std::vector<int64_t>{4, 8, 12}));
  train(setup(6), task.model_directory("parts"));
  const Trained later = train(setup(12), task.model_directory("parts"));
  EXPECT_EQ(later.outcome.final->candidates.back().steps, (std::vector<int64_t>{4, 8, 12}));
  expect_same_end(task.model_directory("whole"), task.model_directory("parts"), 12);
}

TEST_F(Resuming, WithALaterLimitIsAsIfTheLimitHadAlwaysBeenThere) {
  const auto setup = [&](int64_t steps) {
    TrainerSetup made = task.setup();
    made.train.max_steps = steps;
    made.train.schedule = PlateauSchedule{.learning_rate = 1e-3, .patience = 1};
    made.valid.every = {4};
    made.valid.min_delta = 1000;
    return made;
  };
  const Trained whole = train(setup(13), task.model_directory("whole"));
  train(setup(6), task.model_directory("parts"));
  const Trained later = train(setup(13), task.model_directory("parts"));
  expect_same_end(task.model_directory("whole"), task.model_directory("parts"), 13);
  EXPECT_EQ(whole.outcome.final->candidates.back().steps, (std::vector<int64_t>{4, 8, 12, 13}));
  EXPECT_EQ(later.outcome.final->candidates.back().steps, whole.outcome.final->candidates.back().steps);
}

TEST_F(Resuming, AFinishedTrainingGivesTheSameModelAgain) {
  TrainerSetup setup = task.setup();
  setup.train.max_steps = 8;
  setup.valid.every = {2};
  const Trained first = train(setup, task.model_directory("run"));
  setup.model = task.setup().model;
  const Trained again = train(setup, task.model_directory("run"));
  EXPECT_EQ(again.outcome.progress.steps, 8);
  EXPECT_TRUE(again.recorder.validations.empty());
  EXPECT_EQ(again.outcome.final->chosen, first.outcome.final->chosen);
  EXPECT_EQ(again.outcome.final->candidates.back().steps, first.outcome.final->candidates.back().steps);
}

/// A kill between the last checkpoint and the removal of those that are not needed.
TEST_F(Resuming, RemovesWhatAnInterruptedEndHasNotRemoved) {
  const std::string model = task.model_directory("m");
  train(of_nine_updates({4}), model, 6);
  const std::string stopped = checkpoint::checkpoint_path(model, 6), aside = model + ".aside";
  fs::copy(stopped, aside, fs::copy_options::recursive);
  train(of_nine_updates({4}), model);
  EXPECT_FALSE(fs::exists(stopped));
  fs::rename(aside, stopped);
  train(of_nine_updates({4}), model);
  EXPECT_FALSE(fs::exists(stopped));
}

TEST_F(Resuming, WithAnotherSeedIsRefused) {
  TrainerSetup setup = task.setup();
  setup.train.max_steps = 1;
  train(setup, task.model_directory("run"));
  setup.seed = 2;
  EXPECT_THROW(train(setup, task.model_directory("run")), ConfigError);
}

}  // namespace
}  // namespace heed::training
