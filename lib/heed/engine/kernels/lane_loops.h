// Loops over any count of numbers in vector code (nn/kernels/vector_code.h): the last vector may have fewer real lanes.
#pragma once

#include <cstdint>
#include <cstring>

#include "heed/nn/kernels/vector_code.h"

namespace heed::engine {

/// The first `count` lanes; those behind are 0.
[[gnu::always_inline]] inline void load_some(nn::vector_code::Float& lanes, const float* from, int64_t count) {
  if (count == nn::vector_code::kLanes) return nn::vector_code::load(lanes, from);
  lanes = nn::vector_code::Float{};
  std::memcpy(&lanes, from, static_cast<size_t>(count) * sizeof(float));
}
[[gnu::always_inline]] inline void store_some(float* to, const nn::vector_code::Float& lanes, int64_t count) {
  if (count == nn::vector_code::kLanes) return nn::vector_code::store(to, lanes);
  std::memcpy(to, &lanes, static_cast<size_t>(count) * sizeof(float));
}

/// Calls step(i, lanes) for the numbers [i, i + lanes), up to `count`.
template <class Step>
[[gnu::always_inline]] inline void for_each_vector(int64_t count, const Step& step) {
  constexpr int64_t kLanes = nn::vector_code::kLanes;
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) step(i, kLanes);
  if (i < count) step(i, count - i);
}

}  // namespace heed::engine
