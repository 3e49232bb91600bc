// Loops over any count of numbers in vector code (heed/kernels/vector_code.h): the last vector may have fewer real
// lanes.
#pragma once

#include <cstdint>

#include "heed/kernels/vector_code.h"

namespace heed::engine {

/// Calls step(i, lanes) for the numbers [i, i + lanes), up to `count`.
template <class Step>
[[gnu::always_inline]] inline void for_each_vector(int64_t count, const Step& step) {
  constexpr int64_t kLanes = nn::vector_code::kLanes;
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) step(i, kLanes);
  if (i < count) step(i, count - i);
}

}  // namespace heed::engine
