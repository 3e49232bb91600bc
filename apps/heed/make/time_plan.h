// How `heed make` divides its time.
#pragma once

#include <cstdint>

namespace heed::apps::make {

/// Seconds of a short training that measures the speed.
double measuring_seconds(double all);

/// Seconds that are kept for what follows a training: the length penalty, the test text and the pages. lines: of the
/// validation text and the test text. tokens_per_second: of the training; translating is estimated from it.
double seconds_after_training(int64_t lines, double tokens_per_line, double tokens_per_second);
/// Seconds of a validation.
double validation_seconds(int64_t lines, double tokens_per_line, double tokens_per_second);
/// Seconds from the start of a training to its first step, for a plan. A measured training shows the true number.
double start_seconds(int64_t pairs);

/// Shares of the time that is left after measuring, with `--for speed`.
inline constexpr double kTeacherShare = 0.55;
inline constexpr double kDistillingShare = 0.2;

}  // namespace heed::apps::make
