#include "heed/kernels/top_k_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heed/kernels/vector_functions.h"

namespace heed::kernels {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

void insert(RowTopK& row, float number, int32_t column) {
  int64_t place = row.count - 1;
  for (; place > 0 && number > row.best[place - 1]; --place) {
    row.best[place] = row.best[place - 1];
    row.columns[place] = row.columns[place - 1];
  }
  row.best[place] = number;
  row.columns[place] = column;
}

/// Adds the exponentials. If the largest number grows, the previous sum is rescaled.
struct AddExponentials {
  RowTopK& row;
  const float* numbers;
  int64_t padded;

  template <class R>
  [[gnu::always_inline]] void run() const {
    using Float = R::Float;
    Float top = row.largest;
    for (int64_t i = 0; i < padded; i += kLanes) {
      Float lanes;
      load(lanes, numbers + i);
      top = larger(lanes, top);
    }
    const float largest = largest_lane(top);
    if (largest > row.largest) {
      row.sum = row.sum == 0 ? 0 : row.sum * std::exp(static_cast<double>(row.largest) - static_cast<double>(largest));
      row.largest = largest;
    }
    if (largest == kNever) return;
    Float sum{};
    for (int64_t i = 0; i < padded; i += kLanes) {
      Float lanes;
      load(lanes, numbers + i);
      lanes -= largest;
      const auto real = ~(lanes == kNever);
      exponential(lanes);
      masked(lanes, real);
      sum += lanes;
    }
    double total = 0;
    for (int64_t lane = 0; lane < kLanes; ++lane) total += static_cast<double>(sum[lane]);
    row.sum += total;
  }
};

/// Inserts the numbers that are larger than the smallest of the best.
struct TakeBest {
  RowTopK& row;
  const float* numbers;
  int64_t first, padded;

  template <class R>
  [[gnu::always_inline]] void run() const {
    using Float = R::Float;
    constexpr int64_t kBlock = 8 * kLanes;
    for (int64_t begin = 0; begin < padded; begin += kBlock) {
      const int64_t end = std::min(begin + kBlock, padded);
      Float top = kNever;
      for (int64_t i = begin; i < end; i += kLanes) {
        Float lanes;
        load(lanes, numbers + i);
        top = larger(lanes, top);
      }
      if (any_lane(top > row.best[row.count - 1])) take_block<R>(begin, end);
    }
  }

 private:
  template <class R>
  [[gnu::always_inline]] void take_block(int64_t begin, int64_t end) const {
    for (int64_t at = begin; at < end; at += kLanes) {
      typename R::Float lanes;
      load(lanes, numbers + at);
      if (!any_lane(lanes > row.best[row.count - 1])) continue;
      for (int64_t i = at; i < at + kLanes; ++i) {
        if (numbers[i] > row.best[row.count - 1]) insert(row, numbers[i], static_cast<int32_t>(first + i));
      }
    }
  }
};

}  // namespace

void RowTopK::begin() {
  largest = kNever;
  sum = 0;
  std::fill(best, best + count, kNever);
  std::fill(columns, columns + count, 0);
}

double RowTopK::logsumexp() const { return static_cast<double>(largest) + std::log(sum); }

void take_columns(RowTopK& row, float* numbers, int64_t first, int64_t count, std::span<const int32_t> barred) {
  const int64_t padded = padded_to_lanes(count);
  std::fill(numbers + count, numbers + padded, kNever);
  run_vectorized(AddExponentials{row, numbers, padded});
  auto column = std::ranges::lower_bound(barred, first);
  for (; column != barred.end() && *column < first + count; ++column) {
    numbers[*column - first] = kNever;
  }
  run_vectorized(TakeBest{row, numbers, first, padded});
}

}  // namespace heed::kernels
