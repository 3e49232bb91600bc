#include "heed_torch/training/trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed_torch/checkpoint/averaging.h"
#include "heed_torch/translation/ensemble_model.h"
#include "support/message_of.h"
#include "training/recorded_training.h"
#include "training/toy_task.h"

namespace heed::training {
namespace {

namespace fs = std::filesystem;
using heed::testing::ToyTask;

/// Hypotheses of greedy search that equal their references, as a share.
double accuracy(const TrainerSetup& setup, const ToyTask& task) {
  const translation::Translator translator(std::make_shared<translation::EnsembleModel>(setup.model, at::kCPU),
                                           setup.tokenizers, {.beam = 1}, setup.translator);
  const auto translations = translator.translate(translation::source_lines(task.dev_text().source));
  int right = 0;
  for (size_t i = 0; i < translations.size(); ++i) right += translations[i].text == task.dev_text().target[i];
  return right / static_cast<double>(translations.size());
}

void expect_learns(const std::function<heed::testing::Sequence(heed::testing::Sequence)>& what, int64_t steps) {
  const ToyTask task(what, 4000, 8);
  TrainerSetup setup = task.setup();
  models::ArchitectureOptions architecture = heed::testing::tiny_transformer();
  architecture.d_model = 32;
  heed::testing::encoder_stack(architecture).feed_forward.d_hidden = 64;
  heed::testing::decoder_stack(architecture).feed_forward.d_hidden = 64;
  setup.model = models::build_model(architecture, setup.model->sizes(), 7);
  std::get<data::SentenceContext>(setup.stream.context).step_tokens = 288;
  setup.train.schedule = CosineSchedule{.learning_rate = 5e-3, .warmup = {100}};
  setup.train.max_steps = steps;
  setup.train.average = NoAverage{};
  setup.valid.every = {static_cast<double>(steps)};
  setup.valid.translate = TranslateValidText{};
  setup.valid.metric = ValidationMetric::Bleu;
  const Trained run = train(setup, task.model_directory("run"));
  EXPECT_GE(run.recorder.validations.back().scores.at("bleu"), 95);
  EXPECT_GE(accuracy(setup, task), 0.9);
}

TEST(Trainer, LearnsToCopyLengthEight) { expect_learns(heed::testing::copied, 600); }

TEST(Trainer, LearnsToReverseLengthEight) { expect_learns(heed::testing::reversed, 800); }

class Training : public ::testing::Test {
 protected:
  const ToyTask task;
  TrainerSetup setup = [this] {
    TrainerSetup made = task.setup();
    made.train.max_steps = 8;
    made.valid.every = {2};
    made.log.every = {1};
    return made;
  }();
  const std::string directory = task.model_directory("run");
};

TEST_F(Training, ReportsProgressSpeedAndScores) {
  const Trained run = train(setup, directory);
  const Recorder& seen = run.recorder;
  EXPECT_EQ(run.outcome.reason, "8 steps are done");
  ASSERT_EQ(seen.trainings.size(), 8u);
  EXPECT_EQ(seen.trainings[7].progress.steps, 8);
  EXPECT_GT(seen.trainings[7].progress.tokens, 8 * 60);
  EXPECT_GT(seen.trainings[7].target_tokens_per_second, 0);
  EXPECT_GT(seen.trainings[7].time.forward, 0);
  EXPECT_GT(seen.trainings[7].time.backward, 0);
  EXPECT_GT(seen.trainings[7].gradient_norm, 0);
  EXPECT_GE(seen.trainings[6].remaining_seconds, 0);
  EXPECT_EQ(seen.trainings[0].epoch, 1);
  EXPECT_DOUBLE_EQ(seen.trainings[0].learning_rate, 2e-3);
  EXPECT_NEAR(seen.trainings[0].loss, std::log(12), 1);
  ASSERT_EQ(seen.validations.size(), 4u);
  for (const ValidationReport& report : seen.validations) {
    EXPECT_NEAR(report.scores.at("perplexity"), std::exp(report.scores.at("loss")), 1e-9);
  }
  EXPECT_EQ(seen.checkpoints, (std::vector<double>{0, 2, 4, 6, 8}));
  EXPECT_GT(seen.starts[0].parameters, 1000);
}

TEST_F(Training, ReportsByTheClockWhereItWouldBeSilent) {
  setup.log.every = {4};
  setup.silence = 0;
  const Trained told = train(setup, directory);
  std::vector<double> steps;
  for (const TrainingReport& report : told.recorder.by_clock) steps.push_back(report.progress.steps);
  EXPECT_EQ(steps, (std::vector<double>{1, 2, 3, 5, 6, 7}));
  EXPECT_GT(told.recorder.by_clock[2].target_tokens_per_second, 0);
  ASSERT_FALSE(told.recorder.validating.empty());
  EXPECT_EQ(told.recorder.validating.back().done, told.recorder.validating.back().all);
  TrainerSetup silent = setup;
  silent.model = task.setup().model;
  silent.silence = 1e9;
  const Trained untold = train(silent, task.model_directory("silent"));
  EXPECT_TRUE(untold.recorder.by_clock.empty());
  EXPECT_TRUE(untold.recorder.validating.empty());
  ASSERT_EQ(untold.recorder.trainings.size(), told.recorder.trainings.size());
  EXPECT_EQ(untold.recorder.trainings[1].loss, told.recorder.trainings[1].loss);
  expect_same_end(directory, task.model_directory("silent"), 8);
}

TEST_F(Training, SaysHowManyLinesOfALongValidationAreTranslated) {
  setup.valid.translate = TranslateValidText{};
  setup.train.max_steps = 2;
  setup.silence = 0;
  const Trained run = train(setup, directory);
  ASSERT_FALSE(run.recorder.validating.empty());
  const ValidatingReport& last = run.recorder.validating.back();
  EXPECT_EQ(last.things, "lines");
  EXPECT_EQ(last.done, 50);
  EXPECT_EQ(last.all, 50);
  EXPECT_EQ(last.progress.steps, 2);
}

TEST_F(Training, ForecastsOnceWhatItsLimitAmountsTo) {
  setup.train.max_steps = 42;
  setup.valid.every = {100};
  const auto stop_after_30 = train(setup, directory, 30);
  ASSERT_EQ(stop_after_30.recorder.forecasts.size(), 1u);
  EXPECT_TRUE(stop_after_30.recorder.forecasts[0].starts_with("42 steps are about "));
  EXPECT_TRUE(stop_after_30.recorder.warnings.empty());
  setup.model = task.setup().model;
  EXPECT_TRUE(train(setup, directory).recorder.forecasts.empty()) << "12 updates more say too little";
}

TEST_F(Training, WarnsWhereItsLimitLiesWithinTheWarmup) {
  setup.train.max_steps = 30;
  setup.train.schedule = ConstantSchedule{.learning_rate = 2e-3, .warmup = {1e6, AmountUnit::Tokens}};
  setup.valid.every = {100};
  const Trained run = train(setup, directory);
  EXPECT_TRUE(run.recorder.forecasts.empty());
  ASSERT_EQ(run.recorder.warnings.size(), 1u);
  EXPECT_TRUE(run.recorder.warnings[0].starts_with("at this speed 30 steps are about "));
  EXPECT_TRUE(
      run.recorder.warnings[0].ends_with("takes 1,000,000 target tokens, so training ends within it "
                                         "(train.schedule.warmup)"))
      << run.recorder.warnings[0];
}

TEST_F(Training, ADecayFollowsTheClockToALimitOfMinutes) {
  constexpr double kSeconds = 1.2;
  setup.train.max_steps.reset();
  setup.train.max_minutes = kSeconds / 60;
  setup.train.schedule = LinearSchedule{.learning_rate = 1, .warmup = {0}};
  setup.train.optimizer = SgdOptions{};
  setup.valid.every = {1000};
  const auto wait = [](const TrainingReport&) { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  const Trained run = train(setup, directory, 0, wait);
  const std::vector<TrainingReport>& reports = run.recorder.trainings;
  ASSERT_GE(reports.size(), 2u);
  for (size_t i = 1; i < reports.size(); ++i) {
    EXPECT_LE(reports[i].learning_rate, 1 - reports[i - 1].elapsed_seconds / kSeconds);
    EXPECT_GE(reports[i].learning_rate, 1 - reports[i].elapsed_seconds / kSeconds);
  }
  EXPECT_EQ(run.outcome.limit, (Limit{LimitUnit::Minutes, kSeconds / 60}));
}

TEST_F(Training, SaysWhetherScoresWereImprovingWhenALimitEndedIt) {
  const Trained run = train(setup, directory);
  EXPECT_EQ(run.outcome.limit, (Limit{LimitUnit::Steps, 8}));
  EXPECT_TRUE(run.recorder.validations.back().best);
  EXPECT_TRUE(run.outcome.final->still_improving);
  setup.model = task.setup().model;
  setup.train.schedule = ConstantSchedule{.learning_rate = 0};
  EXPECT_FALSE(train(setup, task.model_directory("still")).outcome.final->still_improving);
  setup.train.schedule = ConstantSchedule{.learning_rate = 2e-3};
  setup.valid.every = {100};
  EXPECT_FALSE(train(setup, task.model_directory("one")).outcome.final->still_improving) << "of one validation";
}

TEST_F(Training, SaysWhereAModelHasLearnedLittle) {
  setup.train.schedule = ConstantSchedule{.learning_rate = 0};
  const Trained run = train(setup, directory);
  ASSERT_TRUE(run.outcome.final->learned_little);
  EXPECT_EQ(run.outcome.final->learned_little->loss, run.outcome.final->candidates[0].scores.at("loss"));
  EXPECT_LT(run.outcome.final->learned_little->frequency_loss, std::log(9)) << "of eight letters and the end";
}

TEST_F(Training, DoesNotDependOnWhoComputesTheParts) {
  setup.stream.micro_batches = 2;
  train(setup, directory);
  TrainerSetup spread = setup;
  spread.model = task.setup().model;
  spread.stream.micro_batches = 1;
  spread.train.replicas = 2;
  train(spread, task.model_directory("spread"));
  expect_same_end(directory, task.model_directory("spread"), 8);
}

TEST_F(Training, StopsEarlyWhenNothingGetsBetter) {
  setup.train.schedule = ConstantSchedule{.learning_rate = 0};
  setup.train.max_steps.reset();
  setup.valid.patience = 3;
  const Trained run = train(setup, directory);
  EXPECT_EQ(run.outcome.reason, "no better loss in 3 validations");
  EXPECT_FALSE(run.outcome.limit);
  EXPECT_EQ(run.outcome.progress.steps, 8);
}

TEST_F(Training, AveragesAndTakesTheBetterOnTheValidationText) {
  setup.train.average = AverageOfBest{.count = 3};
  const Trained run = train(setup, directory);
  const FinalReport& report = *run.outcome.final;
  ASSERT_EQ(report.candidates.size(), 2u);
  EXPECT_EQ(report.candidates[0].name, "best");
  EXPECT_EQ(report.candidates[1].name, "averaged");
  EXPECT_EQ(report.candidates[1].steps, (std::vector<int64_t>{4, 6, 8}));
  const bool averaged_wins = report.candidates[1].scores.at("loss") < report.candidates[0].scores.at("loss");
  EXPECT_EQ(report.chosen, averaged_wins ? "averaged" : "best");
  const checkpoint::RunDirectory finished(directory);
  EXPECT_EQ(finished.manifest().origin.chosen, report.chosen);
  std::vector<std::string> paths;
  for (const int64_t step : {4, 6, 8}) paths.push_back(checkpoint::checkpoint_model_path(directory, step));
  const auto mean = checkpoint::average_tensors(paths);
  const int64_t best = report.candidates[0].steps.front();
  expect_equal(
      checkpoint::read_tensors(directory + "/model.safetensors").tensors,
      averaged_wins ? mean : checkpoint::read_tensors(checkpoint::checkpoint_model_path(directory, best)).tensors);
  checkpoint::load_into(*setup.model, mean, "the mean");
  EXPECT_EQ(make_validator(setup)->validate(StopRequest()).scores, report.candidates[1].scores)
      << "the average's scores are its own";
}

TEST_F(Training, ScoresAndPublishesTheAverageOfTheWeights) {
  setup.train.average = NoAverage{};
  const Trained plain = train(setup, task.model_directory("plain"));
  setup.model = task.setup().model;
  setup.train.ema_decay = 0.9;
  const Trained run = train(setup, directory);
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(run.recorder.trainings[i].loss, plain.recorder.trainings[i].loss) << i;
  EXPECT_NE(run.recorder.validations.back().scores, plain.recorder.validations.back().scores);
  const auto last = checkpoint::load_checkpoint(directory, 8);
  const auto of_plain = checkpoint::load_checkpoint(task.model_directory("plain"), 8).model;
  for (const auto& [name, tensor] : of_plain) {
    EXPECT_FALSE(torch::equal(last.model.at(name), tensor)) << name;
    EXPECT_TRUE(torch::equal(last.optimizer.at("trained/" + name), tensor)) << name;
  }
  checkpoint::load_into(*setup.model, last.model, "the average");
  EXPECT_EQ(make_validator(setup)->validate(StopRequest()).scores, run.recorder.validations.back().scores);
}

TEST_F(Training, ChoosesByTheMetricAskedFor) {
  setup.valid.translate = TranslateValidText{.samples = 2};
  setup.valid.metric = ValidationMetric::Bleu;
  const Trained run = train(setup, directory);
  const ValidationReport& report = run.recorder.validations[0];
  EXPECT_EQ(report.stopping_metric, "bleu");
  EXPECT_TRUE(report.scores.contains("bleu"));
  EXPECT_NE(report.signature.find("tok:13a"), std::string::npos);
  ASSERT_EQ(report.samples.size(), 2u);
  EXPECT_EQ(report.samples[1].source, task.dev_text().source[25]);
  EXPECT_EQ(report.samples[1].reference, task.dev_text().target[25]);
}

TEST_F(Training, ChoosesByChrf) {
  setup.valid.translate = TranslateValidText{};
  setup.valid.metric = ValidationMetric::Chrf;
  setup.train.keep_best = 9;
  const Trained run = train(setup, directory);
  EXPECT_EQ(run.recorder.starts[0].valid_beam, 1);
  EXPECT_EQ(run.recorder.starts[0].translation_search, "search.beam " + std::to_string(setup.search.beam));
  double best = -1, loss_of_best = 0;
  for (const ValidationReport& report : run.recorder.validations) {
    EXPECT_EQ(report.stopping_metric, "chrf");
    const double score = rounded_score(ValidationMetric::Chrf, report.scores.at("chrf"));
    const double loss = report.scores.at("loss");
    EXPECT_EQ(report.best, score > best || (score == best && loss < loss_of_best));
    EXPECT_EQ(report.best_by_loss, report.best && score == best);
    if (report.best) best = score, loss_of_best = loss;
  }
  EXPECT_EQ(checkpoint::best_checkpoint(directory)->comparable_score, best) << "more is better";
}

TEST_F(Training, WithoutValidationTextKeepsTheLast) {
  setup.validation.reset();
  setup.valid.patience = 0;
  setup.train.average = NoAverage{};
  const Trained run = train(setup, directory);
  EXPECT_TRUE(run.recorder.validations.empty());
  EXPECT_EQ(run.outcome.final->chosen, "last");
  EXPECT_EQ(run.outcome.final->candidates[0].steps, (std::vector<int64_t>{8}));
}

TEST_F(Training, WithoutValidationTextAveragesTheLastAndNeverTheInitialValues) {
  setup.validation.reset();
  setup.valid.patience = 0;
  setup.train.average = AverageOfLast{.count = 4};
  const Trained run = train(setup, directory);
  EXPECT_EQ(run.outcome.final->chosen, "averaged");
  EXPECT_EQ(run.outcome.final->candidates.back().steps, (std::vector<int64_t>{2, 4, 6, 8}));
  setup.train.max_steps = 2;
  setup.model = task.setup().model;
  const Trained brief = train(setup, task.model_directory("brief"));
  EXPECT_EQ(brief.outcome.final->chosen, "last");
  EXPECT_EQ(brief.outcome.final->candidates.size(), 1u);
}

TEST_F(Training, AnInterruptedOneLeavesAUsableModel) {
  train(setup, directory, 5);
  EXPECT_EQ(checkpoint::pick_checkpoint(directory, ""), directory + "/model.safetensors");
}

class NotFinite : public Training, public ::testing::WithParamInterface<Precision> {};

// A loss scale is to blame for a gradient that overflows, but never for a loss.
TEST_P(NotFinite, UpdateIsSkippedAndNamed) {
  setup.train.precision = GetParam();
  checkpoint::RunDirectory run_directory(directory);
  Recorder recorder;
  torch::Tensor weight = setup.model->parameters()[0];
  const torch::Tensor sound = weight.detach().clone();
  recorder.act = [&](const TrainingReport& report) {
    const torch::NoGradGuard no_grad;
    if (report.progress.steps == 3) weight.fill_(std::numeric_limits<float>::quiet_NaN());
    if (report.progress.steps == 4) weight.copy_(sound);
  };
  Trainer(setup, run_directory, {&recorder}).train(StopRequest());
  ASSERT_EQ(recorder.warnings.size(), 1u);
  EXPECT_TRUE(recorder.warnings[0].starts_with("the loss of step 4 is not finite, in " +
                                               task.corpus().origin().files[1].path + ":"))
      << recorder.warnings[0];
  EXPECT_TRUE(recorder.warnings[0].ends_with("; the step is skipped")) << recorder.warnings[0];
  EXPECT_EQ(recorder.trainings.back().skipped_steps, 1);
  EXPECT_TRUE(std::isfinite(recorder.validations.back().scores.at("loss")));
}

INSTANTIATE_TEST_SUITE_P(Precisions, NotFinite, ::testing::Values(Precision::Fp32, Precision::Fp16));

TEST_F(Training, GivesUpAfterManyUpdatesThatAreNotFinite) {
  checkpoint::RunDirectory run_directory(directory);
  setup.train.max_nonfinite_steps = 2;
  setup.train.max_steps = 100;
  setup.valid.every = {50};
  Recorder recorder;
  recorder.act = [&](const TrainingReport& report) {
    if (report.progress.steps == 3) {
      setup.model->parameters()[0].detach().fill_(std::numeric_limits<float>::quiet_NaN());
    }
  };
  try {
    Trainer(setup, run_directory, {&recorder}).train(StopRequest());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("in 2 steps in a row: training has diverged"), std::string::npos)
        << error.what();
  }
}

TEST_F(Training, AGoodUpdateEndsARunOfBadOnes) {
  setup.train.max_nonfinite_steps = 2;
  setup.valid.every = {20};
  const torch::Tensor weight = setup.model->parameters()[0], sound = weight.detach().clone();
  const auto act = [&](const TrainingReport& report) {
    const torch::NoGradGuard no_grad;
    const bool next_is_bad = report.progress.steps == 3 || report.progress.steps == 5;
    if (next_is_bad)
      weight.fill_(std::numeric_limits<float>::quiet_NaN());
    else
      weight.copy_(sound);
  };
  const Trained run = train(setup, directory, 0, act);
  EXPECT_TRUE(run.outcome.finished);
  EXPECT_EQ(run.recorder.trainings.back().skipped_steps, 2);
}

TEST_F(Training, CountsGoodUpdatesForTheLossScale) {
  setup.train.precision = Precision::Fp16;
  train(setup, directory);
  const auto last = checkpoint::load_checkpoint(directory, 8);
  EXPECT_GT(read_state(last.state, "last").loss_scale.good_steps, 0);
}

TEST_F(Training, CountsTheEpochsBehindIt) {
  setup.stream.context = data::SentenceContext{.step_tokens = 4000, .shuffle_window = 2000};
  const Trained run = train(setup, directory);
  EXPECT_GT(run.outcome.progress.epochs, 1.5);
  EXPECT_EQ(run.recorder.trainings.back().epoch, std::ceil(run.outcome.progress.epochs));
}

TEST_F(Training, SamplesWordsByTheProgressBeforeAnUpdate) {
  setup.model = models::build_model(heed::testing::tiny_rnn(), setup.model->sizes(), 7);
  setup.train.max_steps = 2;
  TrainerSetup sampling = setup;
  sampling.model = models::build_model(heed::testing::tiny_rnn(), setup.model->sizes(), 7);
  sampling.train.sampling.type = LinearSampling{.length = {1}};  // from the second step on all words are its own
  const Trained forced = train(setup, directory), sampled = train(sampling, task.model_directory("sampled"));
  EXPECT_EQ(sampled.recorder.trainings[0].loss, forced.recorder.trainings[0].loss);
  EXPECT_NE(sampled.recorder.trainings[1].loss, forced.recorder.trainings[1].loss);
}

TEST_F(Training, KeepsTheCheckpointBeforeARunOfBadUpdates) {
  checkpoint::RunDirectory run_directory(directory);
  setup.train.max_nonfinite_steps = 4;
  setup.train.max_steps = 100;
  setup.train.save_every = Amount{1};
  setup.valid.every = {50};
  Recorder recorder;
  recorder.act = [&](const TrainingReport& report) {
    // Finite, and its products are not.
    if (report.progress.steps == 3) setup.model->parameters()[0].detach().fill_(1e38F);
  };
  EXPECT_THROW(Trainer(setup, run_directory, {&recorder}).train(StopRequest()), Error);
  EXPECT_EQ(recorder.checkpoints.back(), 3);
}

TEST_F(Training, ParametersThatAreNotFiniteAreNeitherScoredNorSaved) {
  checkpoint::RunDirectory run_directory(directory);
  setup.train.max_steps = 100;
  setup.valid.every = {3};
  Recorder recorder;
  recorder.act = [&](const TrainingReport& report) {
    if (report.progress.steps != 3) return;
    setup.model->parameters()[0].detach().fill_(std::numeric_limits<float>::quiet_NaN());
  };
  EXPECT_EQ(heed::testing::message_of<Error>([&] { Trainer(setup, run_directory, {&recorder}).train(StopRequest()); }),
            "the parameters are not finite after step 3: training has diverged; lower the learning rate or lengthen "
            "the warm-up; the last good checkpoint is kept");
  EXPECT_EQ(recorder.checkpoints.back(), 0);
}

TEST_F(Training, WithoutValidationParametersThatAreNotFiniteEndItToo) {
  checkpoint::RunDirectory run_directory(directory);
  setup.validation.reset();
  setup.valid.patience = 0;
  setup.train.average = NoAverage{};
  setup.train.save_every = Amount{1};
  Recorder recorder;
  recorder.act = [&](const TrainingReport& report) {
    if (report.progress.steps == 3) setup.model->parameters()[0].detach().fill_(HUGE_VALF);
  };
  const std::string message =
      heed::testing::message_of<Error>([&] { Trainer(setup, run_directory, {&recorder}).train(StopRequest()); });
  EXPECT_TRUE(message.starts_with("the parameters are not finite after step 3: training has diverged")) << message;
  EXPECT_EQ(recorder.checkpoints.back(), 2);
  EXPECT_TRUE(recorder.warnings.empty());
}

TEST_F(Training, AModelThatCannotBeWrittenIsAWarningAndItsCheckpointThere) {
  checkpoint::RunDirectory run_directory(directory);
  setup.train.average = NoAverage{};
  Recorder recorder;
  const std::string model = directory + "/model.safetensors";
  recorder.act = [&](const TrainingReport& report) {
    if (report.progress.steps == 1) fs::create_directories(model + "/in the way");
    if (report.progress.steps == 3) fs::remove_all(model);
  };
  EXPECT_TRUE(Trainer(setup, run_directory, {&recorder}).train(StopRequest()).finished);
  ASSERT_EQ(recorder.warnings.size(), 1u);
  EXPECT_TRUE(recorder.warnings[0].starts_with("the best model so far could not be put in place ("))
      << recorder.warnings[0];
  EXPECT_EQ(recorder.checkpoints, (std::vector<double>{0, 2, 4, 6, 8}));
  EXPECT_EQ(checkpoint::pick_checkpoint(directory, ""), model);
}

TEST_F(Training, AFailedSaveIsAWarningAndTheNextOneASuccess) {
  checkpoint::RunDirectory run_directory(directory);
  Recorder recorder;
  const std::string checkpoints = directory + "/checkpoints";
  recorder.act = [&](const TrainingReport& report) {
    if (report.progress.steps == 1) {
      fs::rename(checkpoints, checkpoints + ".aside");
      std::ofstream(checkpoints) << "in the way";
    }
    if (report.progress.steps == 3) {
      fs::remove(checkpoints);
      fs::rename(checkpoints + ".aside", checkpoints);
    }
  };
  const TrainingOutcome outcome = Trainer(setup, run_directory, {&recorder}).train(StopRequest());
  EXPECT_TRUE(outcome.finished);
  ASSERT_EQ(recorder.warnings.size(), 1u);
  EXPECT_TRUE(recorder.warnings[0].starts_with("the checkpoint of step 2 could not be saved ("))
      << recorder.warnings[0];
  EXPECT_TRUE(recorder.warnings[0].ends_with("); training continues"));
  EXPECT_EQ(recorder.checkpoints, (std::vector<double>{0, 4, 6, 8}));
}

TEST_F(Training, AnObserverThatThrowsDoesNotEndIt) {
  struct Broken : Observer {
    void on_training(const TrainingReport&) override { throw Error("no space left"); }
  } broken;
  checkpoint::RunDirectory run_directory(directory);
  std::string logged;
  set_log_sink([&](LogLevel, std::string_view message) { logged = message; });
  EXPECT_TRUE(Trainer(setup, run_directory, {&broken}).train(StopRequest()).finished);
  set_log_sink({});
  EXPECT_EQ(logged, "a report of training could not be written: no space left");
}

}  // namespace
}  // namespace heed::training
