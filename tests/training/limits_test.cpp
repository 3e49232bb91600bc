#include "heed_torch/training/limits.h"

#include <gtest/gtest.h>

namespace heed::training {
namespace {

TEST(Limits, WhicheverComesFirst) {
  const TrainOptions options{.max_steps = 100, .max_epochs = 2.5, .max_tokens = 5000, .max_minutes = 1};
  EXPECT_FALSE(limit_reached(options, {99, 4999, 2.4}, 59));
  EXPECT_EQ(limit_reached(options, {100, 0, 0}, 0), "100 steps are done");
  EXPECT_EQ(limit_reached(options, {1, 0, 2.5}, 0), "2.5 epochs are done");
  EXPECT_EQ(limit_reached(options, {1, 5000, 0}, 0), "5000 target tokens are done");
  EXPECT_EQ(limit_reached(options, {1, 0, 0}, 60), "1 minute is over");
  EXPECT_FALSE(limit_reached({}, {1e9, 1e12, 1e6}, 1e9));
}

TEST(Limits, TellTheTimeThatRemains) {
  const Progress since{10, 1000, 1}, now{20, 3000, 1.5};
  EXPECT_EQ(remaining_seconds({}, since, 5, now, 50), -1);
  EXPECT_DOUBLE_EQ(remaining_seconds({.max_steps = 40}, since, 5, now, 50), 10);
  EXPECT_DOUBLE_EQ(remaining_seconds({.max_steps = 40, .max_epochs = 2}, since, 5, now, 50), 5);
  EXPECT_DOUBLE_EQ(remaining_seconds({.max_tokens = 4000}, since, 5, now, 50), 2.5);
  EXPECT_DOUBLE_EQ(remaining_seconds({.max_steps = 40, .max_minutes = 1}, since, 5, now, 56), 4);
  EXPECT_EQ(remaining_seconds({.max_steps = 40}, now, 5, now, 50), -1);
}

TEST(Limits, AStepTakesTwiceTheTimeOnceRDropBegins) {
  const TrainOptions options{.r_drop = 3, .r_drop_start = {30}, .max_steps = 40};
  const auto remaining = [&](const TrainOptions& with, double since, double now, double seconds) {
    return remaining_seconds(with, {.steps = since}, seconds, {.steps = now}, 50);
  };
  EXPECT_DOUBLE_EQ(remaining(options, 10, 20, 5), 5 + 10) << "10 steps at half a second, 10 at a second";
  EXPECT_DOUBLE_EQ(remaining(options, 20, 35, 10), 5) << "10 plain steps and 5 with R-Drop took 10 s";
  EXPECT_DOUBLE_EQ(remaining(options, 30, 35, 5), 5);
  EXPECT_DOUBLE_EQ(remaining({.r_drop = 3, .max_steps = 40}, 10, 20, 5), 10) << "from the first step";
  const TrainOptions timed{.schedule = ConstantSchedule{}, .r_drop = 3, .r_drop_start = {30}, .max_minutes = 1};
  const auto made =
      forecast(timed, {.progress = {.steps = 10}, .seconds = 35}, {.progress = {.steps = 20}, .seconds = 40});
  EXPECT_DOUBLE_EQ(made->end.progress.steps, 20 + 10 + 15);
}

TEST(Limits, AreNamedByTheirOptions) {
  const TrainOptions options{.max_steps = 100, .max_epochs = 2.5, .max_tokens = 5000, .max_minutes = 1};
  std::vector<std::string_view> names;
  for (const Limit& limit : limits_of(options)) names.push_back(option_of(limit.unit));
  EXPECT_EQ(names, (std::vector<std::string_view>{"train.max-steps", "train.max-epochs", "train.max-tokens",
                                                  "train.max-minutes"}));
  EXPECT_EQ(reached_limit(options, {.progress = {1, 0, 2.5}}), (Limit{LimitUnit::Epochs, 2.5}));
  EXPECT_FALSE(reached_limit(options, {}));
}

/// Two moments between which 100 steps, 5000 tokens and 0.25 epochs take 50 s.
struct Stretch {
  TrainingMoment since{.progress = {.steps = 10, .tokens = 500, .epochs = 0.025}, .seconds = 10};
  TrainingMoment now{.progress = {.steps = 110, .tokens = 5500, .epochs = 0.275}, .seconds = 60};
};

std::string forecast_of(TrainOptions options, Amount warmup = {0}) {
  options.schedule = ConstantSchedule{.warmup = warmup};
  const Stretch stretch;
  const auto made = forecast(options, stretch.since, stretch.now);
  return made ? forecast_text(*made) : "none";
}

TEST(Forecast, SaysWhatEveryKindOfLimitAmountsTo) {
  EXPECT_EQ(forecast_of({.max_minutes = 10}), "10 minutes are about 1,190 steps, 2.98 epochs");
  EXPECT_EQ(forecast_of({.max_steps = 20'000}), "20,000 steps are about 50 epochs, 2 h 46 min");
  EXPECT_EQ(forecast_of({.max_epochs = 1}), "1 epoch is about 400 steps, 3 min 25 s");
  EXPECT_EQ(forecast_of({.max_tokens = 1e6}), "1,000,000 target tokens are about 20,000 steps, 50 epochs, 2 h 46 min");
  EXPECT_EQ(forecast_of({.max_steps = 20'000, .max_minutes = 10}), "10 minutes are about 1,190 steps, 2.98 epochs")
      << "the first";
}

TEST(Forecast, NamesAWarmupThatIsNotOverAndWarnsOfAnEndWithinIt) {
  const std::string ten = "10 minutes are about 1,190 steps, 2.98 epochs";
  const std::string warmup = "; the warm-up of the learning rate takes ";
  EXPECT_EQ(forecast_of({.max_minutes = 10}, {1000}), ten + warmup + "1,000 steps");
  EXPECT_EQ(forecast_of({.max_minutes = 10}, {110}), ten) << "it is over";
  EXPECT_EQ(forecast_of({.max_minutes = 10}, {2000}),
            ten + warmup + "2,000 steps, so training ends within it (train.schedule.warmup)");
  EXPECT_EQ(forecast_of({.max_minutes = 10}, {1e5, AmountUnit::Tokens}),
            ten + warmup + "100,000 target tokens, so training ends within it (train.schedule.warmup)");
  EXPECT_EQ(forecast_of({.max_minutes = 10}, {2.5, AmountUnit::Epochs}), ten + warmup + "2.5 epochs");
}

TEST(Forecast, IsAbsentWithoutALimitOrAWayToIt) {
  EXPECT_EQ(forecast_of({}), "none");
  EXPECT_EQ(forecast_of({.max_steps = 110}), "none") << "it is reached";
  const Stretch stretch;
  EXPECT_FALSE(forecast({.max_minutes = 10}, stretch.now, stretch.now));
}

TEST(Forecast, OfAStreamNamesNoEpochs) {
  Stretch stretch;
  stretch.since.progress.epochs = stretch.now.progress.epochs = 0;
  const auto made = forecast({.schedule = ConstantSchedule{}, .max_minutes = 10}, stretch.since, stretch.now);
  EXPECT_EQ(forecast_text(*made), "10 minutes are about 1,190 steps");
}

TEST(Forecaster, ForecastsOnceAfterTwentyUpdates) {
  const TrainOptions options{.schedule = ConstantSchedule{}, .max_minutes = 10};
  Forecaster forecaster;
  std::vector<double> made_after;
  for (double step = 1; step <= 50; ++step) {
    // The first takes 5 s, each of the others 0.5 s.
    const TrainingMoment now{.progress = {.steps = step}, .seconds = 4.5 + step / 2};
    const auto made = forecaster.after_step(options, now);
    if (!made) continue;
    made_after.push_back(step);
    EXPECT_NEAR(made->end.progress.steps, 2 * (600 - 4.5), 1e-9);
  }
  EXPECT_EQ(made_after, std::vector<double>{20});
}

TEST(Forecaster, OfSlowUpdatesDoesNotWaitForTwenty) {
  const TrainOptions options{.schedule = ConstantSchedule{}, .max_minutes = 10};
  Forecaster forecaster;
  const auto after = [&](double step) {
    return forecaster.after_step(options, {.progress = {.steps = step}, .seconds = 25 * step}).has_value();
  };
  EXPECT_FALSE(after(1));
  EXPECT_FALSE(after(2));
  EXPECT_FALSE(after(3)) << "50 s after the first";
  EXPECT_TRUE(after(4));
  EXPECT_FALSE(after(5));
}

}  // namespace
}  // namespace heed::training
