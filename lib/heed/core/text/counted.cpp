#include "heed/core/text/counted.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heed {

std::string counted(int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string listed(std::span<const std::string> things, std::string_view conjunction) {
  if (things.size() < 2) return things.empty() ? std::string() : things[0];
  return fmt::format("{} {} {}", fmt::join(things.first(things.size() - 1), ", "), conjunction, things.back());
}

std::string format_count(int64_t count) {
  const std::string digits = fmt::format("{}", count);
  const size_t first = count < 0 ? 1 : 0;
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > first && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string format_duration(double seconds) {
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  return fmt::format("{} d {:02} h", whole / 86400, whole / 3600 % 24);
}

}  // namespace heed
