#include "heed/report/training_clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace heed::training {
namespace {

TEST(TrainingClock, WaitingTakesTimeButNoProcessor) {
  const TrainingClock clock;
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_GE(clock.spent().elapsed_seconds, 0.06);
  EXPECT_LT(clock.spent().processor_seconds, 0.05);
}

TEST(TrainingClock, WorkTakesBoth) {
  const TrainingClock clock;
  const std::clock_t begin = std::clock();
  while (std::clock() - begin < CLOCKS_PER_SEC / 50) {}
  EXPECT_GE(clock.spent().processor_seconds, 0.02);
  EXPECT_GT(clock.spent().elapsed_seconds, 0);
}

TEST(TrainingClock, GoesOnFromWhatEarlierProcessesSpent) {
  TrainingClock clock;
  clock.resume_from({.elapsed_seconds = 1000, .processor_seconds = 1900});
  EXPECT_GE(clock.spent().elapsed_seconds, 1000);
  EXPECT_GE(clock.spent().processor_seconds, 1900);
  EXPECT_LT(clock.process_spent().elapsed_seconds, 500);
  EXPECT_LT(clock.process_spent().processor_seconds, 500);
}

TEST(ReportTimer, IsDueSoLongAfterTheLastReport) {
  const Clock::time_point begin{};
  const auto after = [&](int seconds) { return begin + std::chrono::seconds(seconds); };
  ReportTimer timer(20, begin);
  EXPECT_FALSE(timer.is_due(after(19)));
  EXPECT_TRUE(timer.is_due(after(20)));
  timer.reported(after(25));
  EXPECT_FALSE(timer.is_due(after(44)));
  EXPECT_TRUE(timer.is_due(after(45)));
}

}  // namespace
}  // namespace heed::training
