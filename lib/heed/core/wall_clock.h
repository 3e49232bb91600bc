// The time of day, for logs and histories.
#pragma once

#include <ctime>
#include <functional>
#include <string>

namespace heed {

/// Returns the current time. Tests pass their own clock.
using WallClock = std::function<std::time_t()>;
/// The clock of the machine.
WallClock system_clock();

/// "2026-03-04T05:06:07+01:00": ISO 8601, local time with its offset.
std::string iso_time(std::time_t time);
/// "2026-03-04" and "05:06:07", local time.
std::string local_date(std::time_t time);
std::string local_time(std::time_t time);

}  // namespace heed
