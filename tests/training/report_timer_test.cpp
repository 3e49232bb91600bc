#include "heed_torch/training/report_timer.h"

#include <gtest/gtest.h>

namespace heed::training {
namespace {

TEST(ReportTimer, IsDueSoLongAfterTheLastReport) {
  const Clock::time_point begin{};
  const auto after = [&](int seconds) { return begin + std::chrono::seconds(seconds); };
  ReportTimer pace(20, begin);
  EXPECT_FALSE(pace.is_due(after(19)));
  EXPECT_TRUE(pace.is_due(after(20)));
  pace.reported(after(25));
  EXPECT_FALSE(pace.is_due(after(44)));
  EXPECT_TRUE(pace.is_due(after(45)));
}

}  // namespace
}  // namespace heed::training
