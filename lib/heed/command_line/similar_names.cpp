#include "heed/command_line/similar_names.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "heed/core/text/counted.h"

namespace heed::config {
namespace {

constexpr size_t kShortestPart = 2;

/// Whether a name begins with `part`, or has it between dashes: "tiny" of "transformer-tiny".
bool has_part(const std::string& name, std::string_view part) {
  if (part.size() < kShortestPart) return false;
  return name.starts_with(part) || fmt::format("-{}-", name).find(fmt::format("-{}-", part)) != std::string::npos;
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  std::iota(cost[0].begin(), cost[0].end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

std::vector<std::string> similar_names(std::string_view wanted, std::span<const std::string> names) {
  std::vector<std::string> near;
  size_t least = std::numeric_limits<size_t>::max();
  for (const std::string& name : names) {
    const size_t distance = has_part(name, wanted) ? 1 : edit_distance(wanted, name);
    if (distance > std::max<size_t>(1, wanted.size() / 3) || distance > least) continue;
    if (distance < least) near.clear();
    least = distance;
    near.push_back(name);
  }
  return near;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> names) {
  std::vector<std::string> near = similar_names(wanted, names);
  for (std::string& name : near) name = '`' + name + '`';
  return near.empty() ? std::string() : fmt::format("; did you mean {}?", listed(near, "or"));
}

}  // namespace heed::config
