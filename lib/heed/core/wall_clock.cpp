#include "heed/core/wall_clock.h"

#include <array>

namespace heed {
namespace {

std::string formatted(std::time_t time, const char* format) {
  std::tm local{};
  localtime_r(&time, &local);
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &local)};
}

}  // namespace

WallClock system_clock() {
  return [] { return std::time(nullptr); };
}

std::string iso_time(std::time_t time) {
  std::string text = formatted(time, "%Y-%m-%dT%H:%M:%S%z");  // ends in "+0100"
  return text.insert(text.size() - 2, ":");
}

std::string local_date(std::time_t time) { return formatted(time, "%Y-%m-%d"); }
std::string local_time(std::time_t time) { return formatted(time, "%H:%M:%S"); }

}  // namespace heed
