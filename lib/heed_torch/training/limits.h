// Where training ends at the latest: train.max-updates, -epochs, -tokens and -minutes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/amount.h"
#include "heed_torch/training/train_options.h"

namespace heed::training {

enum class LimitUnit { Updates, Epochs, Tokens, Minutes };

struct Limit {
  LimitUnit unit = LimitUnit::Updates;
  double value = 0;
  bool operator==(const Limit&) const = default;
};

/// How far training is: its progress, and the seconds that it has taken.
struct TrainingMoment {
  Progress progress = {};
  double seconds = 0;
};

/// The option that sets it: "train.max-minutes".
std::string_view option_of(LimitUnit unit);
/// "10 minutes", "20,000 updates", "2.5 epochs", "1 epoch", "5,000,000 target tokens".
std::string amount_text(LimitUnit unit, double value);
/// The part of `moment` that a limit of this unit is compared with.
double done_in(LimitUnit unit, const TrainingMoment& moment);

/// Those that are set, in the order in which they are compared with the progress.
std::vector<Limit> limits_of(const TrainOptions& options);
/// The first of them that training has reached.
std::optional<Limit> reached_limit(const TrainOptions& options, const TrainingMoment& now);
/// The same as a sentence ("2000 updates are done"); absent when none has been.
std::optional<std::string> limit_reached(const TrainOptions& options, const Progress& progress, double seconds);

/// Seconds until the first limit at the present speed; negative when there is no limit, or no progress yet. `since` and
/// `seconds_since`: a stretch of training to take the speed from; `now`, `seconds`: where training is.
double remaining_seconds(const TrainOptions& options, const Progress& since, double seconds_since, const Progress& now,
                         double seconds);

/// How much of the unit a second brings, between two moments.
double speed_of(LimitUnit unit, const TrainingMoment& since, const TrainingMoment& now);

/// The first limit that training reaches at the speed between two moments, and how many seconds after `now`. Absent
/// when there is no limit, and when nothing was done in between.
struct FirstLimit {
  Limit limit;
  double seconds = 0;
};
std::optional<FirstLimit> first_limit(const TrainOptions& options, const TrainingMoment& since,
                                      const TrainingMoment& now);

}  // namespace heed::training
