#include "heed_torch/training/optimization/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heed/core/error.h"

namespace heed::training {
namespace {

constexpr double kExact = 1e-12;

Progress at_update(double steps) { return {.steps = steps, .tokens = steps * 1000, .epochs = steps / 100}; }

double rate(const ScheduleOptions& options, double steps) {
  return Schedule(options, 512, std::nullopt).learning_rate(at_update(steps));
}

std::string refusal(const ScheduleOptions& options, std::optional<Amount> limit = std::nullopt) {
  try {
    Schedule(options, 512, limit);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Schedule, ConstantStaysAfterWarmup) {
  const ConstantSchedule options{.learning_rate = 0.8, .warmup = {4}};
  EXPECT_NEAR(rate(options, 1), 0.2, kExact);
  EXPECT_NEAR(rate(options, 4), 0.8, kExact);
  EXPECT_NEAR(rate(options, 1000), 0.8, kExact);
}

TEST(Schedule, ConstantWithoutWarmupStartsInFull) {
  EXPECT_NEAR(rate(ConstantSchedule{.learning_rate = 0.8}, 1), 0.8, kExact);
}

TEST(Schedule, WarmupCountsInItsOwnUnit) {
  EXPECT_NEAR(rate(ConstantSchedule{.learning_rate = 1, .warmup = {8000, AmountUnit::Tokens}}, 2), 0.25, kExact);
  EXPECT_NEAR(rate(ConstantSchedule{.learning_rate = 1, .warmup = {0.5, AmountUnit::Epochs}}, 10), 0.2, kExact);
}

TEST(Schedule, InverseSqrtFallsFromThePeak) {
  const InverseSqrtSchedule options{.learning_rate = 0.01, .warmup = {100}};
  EXPECT_NEAR(rate(options, 50), 0.005, kExact);
  EXPECT_NEAR(rate(options, 100), 0.01, kExact);
  EXPECT_NEAR(rate(options, 400), 0.005, kExact);
  EXPECT_NEAR(rate(options, 10000), 0.001, kExact);
}

// lrate = 512^-0.5 * min(s^-0.5, s * 4000^-1.5)
TEST(Schedule, NoamEqualsThePaper) {
  const NoamSchedule options{};
  EXPECT_NEAR(rate(options, 1), 1.7469281074217107e-7, 1e-18);
  EXPECT_NEAR(rate(options, 4000), 6.987712429686844e-4, 1e-15);
  EXPECT_NEAR(rate(options, 16000), 3.493856214843422e-4, 1e-15);
  EXPECT_NEAR(rate(NoamSchedule{.factor = 2}, 16000), 6.987712429686844e-4, 1e-15);
}

TEST(Schedule, LinearReachesItsFinalRatio) {
  const LinearSchedule options{.learning_rate = 1, .warmup = {10}, .length = Amount{110}, .final_ratio = 0.2};
  EXPECT_NEAR(rate(options, 5), 0.5, kExact);
  EXPECT_NEAR(rate(options, 10), 1, kExact);
  EXPECT_NEAR(rate(options, 60), 0.6, kExact);
  EXPECT_NEAR(rate(options, 110), 0.2, kExact);
  EXPECT_NEAR(rate(options, 500), 0.2, kExact);
}

TEST(Schedule, CosineReachesItsFinalRatio) {
  const CosineSchedule options{.learning_rate = 1, .warmup = {0}, .length = Amount{90}, .final_ratio = 0};
  EXPECT_NEAR(rate(options, 30), 0.75, kExact);  // (1 + cos 60 degrees) / 2
  EXPECT_NEAR(rate(options, 45), 0.5, kExact);
  EXPECT_NEAR(rate(options, 90), 0, kExact);
}

TEST(Schedule, WsdIsStableUntilItsDecay) {
  const WsdSchedule options{
      .learning_rate = 1, .warmup = {10}, .length = Amount{100}, .decay_share = 0.25, .final_ratio = 0.2};
  EXPECT_NEAR(rate(options, 5), 0.5, kExact);
  EXPECT_NEAR(rate(options, 10), 1, kExact);
  EXPECT_NEAR(rate(options, 75), 1, kExact);
  EXPECT_NEAR(rate(options, 79), 0.2 + 0.8 * 0.6, kExact);  // 1 - sqrt(4 / 25)
  EXPECT_NEAR(rate(options, 84), 0.2 + 0.8 * 0.4, kExact);  // 1 - sqrt(9 / 25)
  EXPECT_NEAR(rate(options, 100), 0.2, kExact);
  EXPECT_NEAR(rate(options, 500), 0.2, kExact);
}

TEST(Schedule, WsdEndsWithTraining) {
  const WsdSchedule options{.learning_rate = 1, .warmup = {0}};
  const auto at = [&](std::optional<Amount> limit, std::optional<double> minutes, double steps, double seconds) {
    return Schedule(options, 8, limit, minutes).learning_rate(at_update(steps), seconds);
  };
  EXPECT_NEAR(at(Amount{2, AmountUnit::Epochs}, std::nullopt, 165, 0), 1 - std::sqrt(0.125), kExact);
  EXPECT_NEAR(at(Amount{200'000, AmountUnit::Tokens}, std::nullopt, 165, 0), 1 - std::sqrt(0.125), kExact);
  EXPECT_NEAR(at(std::nullopt, 10, 7, 480), 1, kExact);
  EXPECT_NEAR(at(std::nullopt, 10, 7, 495), 1 - std::sqrt(0.125), kExact);
  EXPECT_NEAR(at(Amount{1000}, 10, 7, 600), 0, kExact) << "the minutes come first";
  EXPECT_NEAR(at(Amount{1000}, 10, 1000, 60), 0, kExact) << "the steps come first";
}

TEST(Schedule, WsdWithoutADecayIsConstant) {
  EXPECT_EQ(rate(WsdSchedule{.learning_rate = 1, .warmup = {0}, .length = Amount{100}, .decay_share = 0}, 100), 1);
}

// The stable phase is over at step 80 of 100: a new limit of 120 steps begins its decay at step 96.
TEST(Schedule, WsdCanEndAnywhereFromItsStablePhase) {
  const WsdSchedule options{.learning_rate = 1, .warmup = {0}};
  for (const double length : {100.0, 120.0}) {
    EXPECT_EQ(Schedule(options, 8, Amount{length}).learning_rate(at_update(0.8 * length)), 1);
    EXPECT_LT(Schedule(options, 8, Amount{length}).learning_rate(at_update(0.8 * length + 1)), 1);
  }
}

TEST(Schedule, DecayEndsAtTheLimitOfTrainingByDefault) {
  const LinearSchedule options{.learning_rate = 1, .warmup = {0}};
  EXPECT_NEAR(Schedule(options, 8, Amount{2, AmountUnit::Epochs}).learning_rate(at_update(50)), 0.75, kExact);
}

TEST(Schedule, DecayBeginsBeneathAWarmupInAnotherUnit) {
  const LinearSchedule options{.learning_rate = 1, .warmup = {10}};
  const Schedule schedule(options, 8, Amount{2, AmountUnit::Epochs});
  EXPECT_NEAR(schedule.learning_rate(at_update(5)), 0.5 * (1 - 0.05 / 2), kExact);
  EXPECT_NEAR(schedule.learning_rate(at_update(10)), 1 - 0.1 / 2, kExact);
  EXPECT_NEAR(schedule.learning_rate(at_update(200)), 0, kExact);
}

TEST(Schedule, ATrainingMayEndWithinTheWarmup) {
  const CosineSchedule options{.learning_rate = 1, .warmup = {400}};
  EXPECT_NEAR(Schedule(options, 8, Amount{20}).learning_rate(at_update(20)), 0.05, kExact);
  EXPECT_TRUE(ends_within_warmup(options, Amount{20}));
  EXPECT_TRUE(ends_within_warmup(options, Amount{400}));
  EXPECT_FALSE(ends_within_warmup(options, Amount{401}));
  EXPECT_FALSE(ends_within_warmup(options, Amount{1, AmountUnit::Epochs}));
}

TEST(Schedule, DecayFollowsALimitOfMinutesIfThatComesFirst) {
  const LinearSchedule options{.learning_rate = 1, .warmup = {0}};
  const Schedule minutes(options, 8, std::nullopt, 10);
  EXPECT_NEAR(minutes.learning_rate(at_update(7), 150), 0.75, kExact);
  EXPECT_NEAR(minutes.learning_rate(at_update(7000), 600), 0, kExact);
  EXPECT_NEAR(minutes.learning_rate(at_update(7000), 700), 0, kExact);
  const Schedule both(options, 8, Amount{100}, 10);
  EXPECT_NEAR(both.learning_rate(at_update(10), 150), 0.75, kExact) << "the minutes come first";
  EXPECT_NEAR(both.learning_rate(at_update(50), 150), 0.5, kExact) << "the updates come first";
  const Schedule cosine(CosineSchedule{.learning_rate = 1, .warmup = {0}}, 8, std::nullopt, 10);
  EXPECT_NEAR(cosine.learning_rate(at_update(7), 200), 0.75, kExact);  // (1 + cos 60 degrees) / 2
}

TEST(Schedule, DecayByMinutesBeginsBeneathTheWarmup) {
  const Schedule schedule(LinearSchedule{.learning_rate = 1, .warmup = {100}}, 8, Amount{1000}, 10);
  EXPECT_NEAR(schedule.learning_rate(at_update(50), 300), 0.5 * 0.5, kExact);
}

TEST(Schedule, OfALengthOfItsOwnTheClockDoesNotMatter) {
  const LinearSchedule linear{.learning_rate = 1, .warmup = {0}, .length = Amount{100}};
  EXPECT_EQ(Schedule(linear, 8, std::nullopt, 10).learning_rate(at_update(50), 599), 0.5);
  EXPECT_EQ(Schedule(linear, 8, Amount{100}).learning_rate(at_update(50), 599), 0.5);
  const Schedule constant(ConstantSchedule{.learning_rate = 1}, 8, std::nullopt, 10);
  EXPECT_EQ(constant.learning_rate(at_update(50), 599), 1);
}

TEST(Schedule, StepHalvesEveryEpochAfterTheFifth) {
  const StepSchedule options{.learning_rate = 1};
  EXPECT_NEAR(rate(options, 500), 1, kExact) << "the last update of epoch 5";
  EXPECT_NEAR(rate(options, 501), 0.5, kExact);
  EXPECT_NEAR(rate(options, 600), 0.5, kExact);
  EXPECT_NEAR(rate(options, 601), 0.25, kExact);
}

TEST(Schedule, PlateauFallsAfterPatienceRunsOut) {
  Schedule schedule(PlateauSchedule{.learning_rate = 1, .factor = 0.5, .patience = 2, .minimum = 0.2}, 8, std::nullopt);
  const auto now = [&] { return schedule.learning_rate(at_update(7)); };
  schedule.validated(true);
  schedule.validated(false);
  EXPECT_NEAR(now(), 1, kExact);
  schedule.validated(true);
  schedule.validated(false);
  EXPECT_NEAR(now(), 1, kExact);
  schedule.validated(false);
  EXPECT_NEAR(now(), 0.5, kExact);
  for (int i = 0; i < 4; ++i) schedule.validated(false);
  EXPECT_NEAR(now(), 0.2, kExact);
}

TEST(Schedule, PlateauGoesOnFromItsState) {
  const PlateauSchedule options{.learning_rate = 1, .patience = 2};
  Schedule first(options, 8, std::nullopt);
  first.validated(false);
  Schedule second(options, 8, std::nullopt);
  second.load(first.state());
  second.validated(false);
  EXPECT_NEAR(second.learning_rate(at_update(1)), 0.5, kExact);
}

TEST(Schedule, RefusesWhatItsFormulaCannotUse) {
  EXPECT_EQ(refusal(InverseSqrtSchedule{.warmup = {0}}),
            "`train.schedule.warmup` must be above 0 for inverse-sqrt: its rate falls from there");
  EXPECT_EQ(refusal(NoamSchedule{.warmup = {1, AmountUnit::Epochs}}),
            "`train.schedule.warmup` must be in steps for noam, whose formula counts them, but is `1e`");
  EXPECT_EQ(refusal(CosineSchedule{}),
            "`train.schedule.length` must be given when training has no limit in steps, tokens, epochs or minutes");
  EXPECT_EQ(refusal(LinearSchedule{.warmup = {100}, .length = Amount{100}}),
            "`train.schedule.length` must be more than the warm-up, `100`, but is `100`");
  EXPECT_EQ(refusal(StepSchedule{.every = {100}}),
            "`train.schedule.every` must be in the unit of train.schedule.start, `5e`");
  EXPECT_EQ(refusal(StepSchedule{.every = {0}}), "`train.schedule.every` must be above 0");
  EXPECT_EQ(refusal(PlateauSchedule{.learning_rate = 1e-3, .minimum = 1e-3}),
            "`train.schedule.minimum` must be below train.schedule.learning-rate, or the rate never falls");
}

}  // namespace
}  // namespace heed::training
