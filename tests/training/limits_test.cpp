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
  EXPECT_EQ(limit_reached(options, {1, 0, 0}, 60), "1 minutes are over");
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

TEST(Limits, AreNamedByTheirOptions) {
  const TrainOptions options{.max_steps = 100, .max_epochs = 2.5, .max_tokens = 5000, .max_minutes = 1};
  std::vector<std::string_view> names;
  for (const Limit& limit : limits_of(options)) names.push_back(option_of(limit.unit));
  EXPECT_EQ(names, (std::vector<std::string_view>{"train.max-steps", "train.max-epochs", "train.max-tokens",
                                                  "train.max-minutes"}));
  EXPECT_EQ(reached_limit(options, {.progress = {1, 0, 2.5}}), (Limit{LimitUnit::Epochs, 2.5}));
  EXPECT_FALSE(reached_limit(options, {}));
}

}  // namespace
}  // namespace heed::training
