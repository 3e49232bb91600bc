#include "heed/search/best_of_row.h"

#include <algorithm>
#include <limits>

namespace heed::search {
namespace {

constexpr size_t kBlock = 32;

void insert(float value, int64_t place, std::span<float> values, std::span<int64_t> places) {
  size_t i = values.size() - 1;
  for (; i > 0 && value > values[i - 1]; --i) {
    values[i] = values[i - 1];
    places[i] = places[i - 1];
  }
  values[i] = value;
  places[i] = place;
}

/// Has no branch per number, so that the compiler can vectorize it.
bool any_above(std::span<const float> numbers, float threshold) {
  unsigned above = 0;
  for (const float number : numbers) above |= number > threshold ? 1U : 0U;
  return above != 0;
}

}  // namespace

void best_of_row(std::span<const float> row, std::span<float> values, std::span<int64_t> places) {
  std::ranges::fill(values, -std::numeric_limits<float>::infinity());
  std::ranges::fill(places, 0);
  for (size_t begin = 0; begin < row.size(); begin += kBlock) {
    const size_t end = std::min(begin + kBlock, row.size());
    if (!any_above(row.subspan(begin, end - begin), values.back())) continue;
    for (size_t i = begin; i < end; ++i) {
      if (row[i] > values.back()) insert(row[i], static_cast<int64_t>(i), values, places);
    }
  }
}

}  // namespace heed::search
