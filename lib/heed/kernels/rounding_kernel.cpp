#include "heed/kernels/rounding_kernel.h"

#include "heed/kernels/row_loops.h"
#include "heed/kernels/vector_functions.h"

namespace heed::kernels {
namespace {

struct RoundingKernel {
  const float* from;
  int64_t count;
  uint16_t* to;

  template <class R>
  [[gnu::always_inline]] void run() const {
    for_each_vector(count, [&] [[gnu::always_inline]] (int64_t i, int64_t lanes) {
      typename R::Float number;
      load_some(number, from + i, lanes);
      store_some_rounded(to + i, number, lanes);
    });
  }
};

struct BiasKernel {
  const float* from;
  const float* bias;
  int64_t rows, width;
  uint16_t* to;

  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t row = 0; row < rows; ++row) {
      for_each_vector(width, [&] [[gnu::always_inline]] (int64_t i, int64_t lanes) {
        typename R::Float number, added;
        load_some(number, from + row * width + i, lanes);
        load_some(added, bias + i, lanes);
        store_some_rounded(to + row * width + i, number + added, lanes);
      });
    }
  }
};

struct SumKernel {
  const uint16_t* x;
  int64_t rows, width;
  float* sums;

  // Several columns at once: each addition waits for the last one of its column.
  template <class R, int kVectors>
  [[gnu::always_inline]] void columns(int64_t at) const {
    typename R::Float total[kVectors] = {};
    for (int64_t row = 0; row < rows; ++row) {
      for (int v = 0; v < kVectors; ++v) {
        typename R::Float number;
        load_bfloat16(number, x + row * width + at + v * kLanes);
        total[v] += number;
      }
    }
    for (int v = 0; v < kVectors; ++v) store(sums + at + v * kLanes, total[v]);
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    constexpr int kVectors = 4;
    int64_t at = 0;
    for (; at + kVectors * kLanes <= width; at += kVectors * kLanes) columns<R, kVectors>(at);
    for (; at + kLanes <= width; at += kLanes) columns<R, 1>(at);
    if (at == width) return;
    typename R::Float total{};
    for (int64_t row = 0; row < rows; ++row) {
      typename R::Float number;
      load_some_bfloat16(number, x + row * width + at, width - at);
      total += number;
    }
    store_some(sums + at, total, width - at);
  }
};

}  // namespace

void round_to_bfloat16(const float* from, int64_t count, uint16_t* to) {
  run_vectorized(RoundingKernel{from, count, to});
}

void round_with_bias(const float* from, const float* bias, int64_t rows, int64_t width, uint16_t* to) {
  run_vectorized(BiasKernel{from, bias, rows, width, to});
}

void sum_of_rows(const uint16_t* x, int64_t rows, int64_t width, float* sums) {
  run_vectorized(SumKernel{x, rows, width, sums});
}

}  // namespace heed::kernels
