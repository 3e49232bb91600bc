#include "heed/core/memory_limit.h"

#include <unistd.h>

#include "heed/core/control_groups.h"

namespace heed {

std::optional<int64_t> group_memory_limit(const std::string& root) {
  std::optional<int64_t> smallest;
  for (const ControlGroup& group : control_groups("memory", root)) {
    const auto numbers = group.numbers(group.is_v2 ? "memory.max" : "memory.limit_in_bytes");
    if (!numbers.empty() && numbers[0] > 0) smallest = std::min(numbers[0], smallest.value_or(numbers[0]));
  }
  return smallest;
}

MemoryLimit memory_limit() {
  return {.machine = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE),
          .group = group_memory_limit()};
}

}  // namespace heed
