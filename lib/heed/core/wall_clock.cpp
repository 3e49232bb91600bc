#include "heed/core/wall_clock.h"

#include <array>

#include <fmt/format.h>

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
  const std::string offset = formatted(time, "%z");  // "+0100"
  return fmt::format("{}{}:{}", formatted(time, "%Y-%m-%dT%H:%M:%S"), offset.substr(0, 3), offset.substr(3));
}

std::string local_date(std::time_t time) { return formatted(time, "%Y-%m-%d"); }
std::string local_time(std::time_t time) { return formatted(time, "%H:%M:%S"); }

}  // namespace heed
