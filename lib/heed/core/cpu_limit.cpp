#include "heed/core/cpu_limit.h"

#include <sched.h>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <thread>
#include <vector>

#include "heed/core/control_groups.h"

namespace heed {
namespace {

/// The quota of one group, without those above it. -1 or "max" means no quota.
std::optional<double> own_quota(const ControlGroup& group) {
  std::vector<int64_t> numbers = group.numbers(group.is_v2 ? "cpu.max" : "cpu.cfs_quota_us");
  if (!group.is_v2) std::ranges::copy(group.numbers("cpu.cfs_period_us"), std::back_inserter(numbers));
  if (numbers.size() != 2 || numbers[0] <= 0 || numbers[1] <= 0) return std::nullopt;
  return static_cast<double>(numbers[0]) / static_cast<double>(numbers[1]);
}

int64_t affinity_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return std::max(1u, std::thread::hardware_concurrency());
  return std::max(1, CPU_COUNT(&cores));
}

}  // namespace

int64_t CpuLimit::threads() const {
  if (!quota) return cores;
  return std::clamp<int64_t>(static_cast<int64_t>(std::ceil(*quota)), 1, cores);
}

std::optional<double> cpu_quota(const std::string& root) {
  std::optional<double> smallest;
  for (const ControlGroup& group : control_groups("cpu", root)) {
    if (const auto quota = own_quota(group)) smallest = std::min(*quota, smallest.value_or(*quota));
  }
  return smallest;
}

CpuLimit cpu_limit() { return {.cores = affinity_cores(), .quota = cpu_quota()}; }

}  // namespace heed
