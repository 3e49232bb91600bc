// Numbers drawn for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/core/random.h"

namespace heed::engine {

/// Between -1 and 1.
inline std::vector<float> drawn(int64_t count, uint64_t key) {
  RandomStream random(key, Purpose::Test);
  std::vector<float> numbers(static_cast<size_t>(count));
  for (float& number : numbers) number = static_cast<float>(2 * random.uniform() - 1);
  return numbers;
}

}  // namespace heed::engine
