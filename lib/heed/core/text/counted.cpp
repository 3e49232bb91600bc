#include "heed/core/text/counted.h"

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

}  // namespace heed
