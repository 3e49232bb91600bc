// A time zone for as long as a test needs it.
#pragma once

#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

namespace heed::testing {

/// Local time is that of `zone`, in POSIX's notation ("UTC0"), while this lives.
class TimeZone {
 public:
  explicit TimeZone(const char* zone) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    setenv("TZ", zone, 1);
    tzset();
  }
  ~TimeZone() {
    if (before_)
      setenv("TZ", before_->c_str(), 1);
    else
      unsetenv("TZ");
    tzset();
  }
  TimeZone(const TimeZone&) = delete;
  TimeZone& operator=(const TimeZone&) = delete;

 private:
  std::optional<std::string> before_;
};

}  // namespace heed::testing
