#include "heed/engine/kernels/product_kernels.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "heed/engine/kernels/processor.h"
#include "heed/nn/kernels/vector_code.h"

namespace heed::engine {
namespace {

using nn::vector_code::Width;
using nn::vector_code::width;

/// Vectors as wide as the processor's registers: wider ones, of which the compiler makes several, it keeps in memory.
template <int lanes>
struct Vectors {
  static constexpr int64_t kLanes = lanes;
  using Float [[gnu::vector_size(4 * lanes)]] = float;
  using Int [[gnu::vector_size(4 * lanes)]] = int32_t;
  using Unsigned [[gnu::vector_size(4 * lanes)]] = uint32_t;
};

template <class Vector, class T>
[[gnu::always_inline]] inline void load(Vector& lanes, const T* from) {
  std::memcpy(&lanes, from, sizeof lanes);
}

// How groups are multiplied. Sum: the sums of some columns; begin: their first value; take: a group of x; add: += it
// times each right group; end: as floats.

template <class Vector>
struct Floats {
  using Lanes = Vector;
  using Float = Vector::Float;
  using Unsigned = Vector::Unsigned;
  using Sum = Float;
  using Left = float;

  [[gnu::always_inline]] void begin(Sum& sum, int64_t) const { sum = Float{}; }
  [[gnu::always_inline]] void take(Left& left, const Group* group) const { left = std::bit_cast<float>(*group); }
  [[gnu::always_inline]] void add(Sum& sum, const Left& left, const Unsigned& right) const {
    sum += reinterpret_cast<Float>(right) * left;
  }
  [[gnu::always_inline]] void end(Float& result, const Sum& sum, int64_t, int64_t) const { result = sum; }
};

template <class Vector>
struct PlainBFloat16 : Floats<Vector> {
  using typename Floats<Vector>::Float, typename Floats<Vector>::Unsigned, typename Floats<Vector>::Sum;
  using Left = uint32_t;

  [[gnu::always_inline]] void take(Left& left, const Group* group) const { left = *group; }
  [[gnu::always_inline]] void add(Sum& sum, Left left, const Unsigned& right) const {
    sum += reinterpret_cast<Float>(right << 16) * std::bit_cast<float>(left << 16);
    sum += reinterpret_cast<Float>(right & 0xffff0000u) * std::bit_cast<float>(left & 0xffff0000u);
  }
};

template <class Vector>
struct PlainBytes {
  using Lanes = Vector;
  using Float = Vector::Float;
  using Unsigned = Vector::Unsigned;
  using Sum = Vector::Int;
  using Left = uint32_t;
  const ByteScales& scales;

  [[gnu::always_inline]] void begin(Sum& sum, int64_t column) const { load(sum, scales.minus_sums + column); }
  [[gnu::always_inline]] void take(Left& left, const Group* group) const { left = *group; }
  [[gnu::always_inline]] void add(Sum& sum, Left left, const Unsigned& right) const {
    const Sum bytes = reinterpret_cast<Sum>(right);
    for (int g = 0; g < 4; ++g) sum += ((bytes << (24 - 8 * g)) >> 24) * static_cast<int32_t>(left >> (8 * g) & 0xff);
  }
  [[gnu::always_inline]] void end(Float& result, const Sum& sum, int64_t row, int64_t column) const {
    Float scale;
    load(scale, scales.weight + column);
    result = __builtin_convertvector(sum, Float) * (scale * scales.x[row]);
  }
};

#if HEED_HAS_NARROW_PRODUCTS
// Instructions of one product each. As assembler, since a function with their intrinsics cannot be inlined into one
// that is compiled for other processors as well.
template <class Unsigned>
[[gnu::always_inline]] inline void broadcast(Unsigned& lanes, const Group& group) {
  asm("vpbroadcastd %1, %0" : "=v"(lanes) : "m"(group));
}

template <class Vector>
struct FastBFloat16 : Floats<Vector> {
  using typename Floats<Vector>::Unsigned, typename Floats<Vector>::Sum;
  using Left = Unsigned;

  [[gnu::always_inline]] void take(Left& left, const Group* group) const { broadcast(left, *group); }
  [[gnu::always_inline]] void add(Sum& sum, const Unsigned& left, const Unsigned& right) const {
    Sum now = sum;  // an operand of its own: else the compiler keeps all sums in memory
    asm("vdpbf16ps %2, %1, %0" : "+v"(now) : "v"(left), "v"(right));
    sum = now;
  }
};
template <class Vector>
struct FastBytes : PlainBytes<Vector> {
  using typename PlainBytes<Vector>::Unsigned, typename PlainBytes<Vector>::Sum;
  using Left = Unsigned;

  [[gnu::always_inline]] void take(Left& left, const Group* group) const { broadcast(left, *group); }
  [[gnu::always_inline]] void add(Sum& sum, const Unsigned& left, const Unsigned& right) const {
    Sum now = sum;  // an operand of its own: else the compiler keeps all sums in memory
    asm("vpdpbusd %2, %1, %0" : "+v"(now) : "v"(left), "v"(right));
    sum = now;
  }
};
#endif

/// Tiles of kRows rows and kVectors vectors of columns, whose sums stay in registers.
template <class Numbers>
struct Product {
  using Float = Numbers::Float;
  using Unsigned = Numbers::Unsigned;
  static constexpr int64_t kLanes = Numbers::Lanes::kLanes;
  const Numbers& numbers;
  const Groups& x;
  int64_t rows;
  const Groups& weight;
  PanelRange range;
  const Finish& finish;

  template <int kRows, int kVectors>
  [[gnu::always_inline]] void tile(int64_t row, int64_t panel, int64_t column) const {
    const Group* right = weight.numbers + panel * weight.count * kPanel + column;
    const Group* left = x.numbers + row * x.row;
    const int64_t at = (panel - range.first) * kPanel + column;
    typename Numbers::Sum sum[kRows][kVectors];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v) numbers.begin(sum[r][v], at + v * kLanes);
    }
    for (int64_t i = 0; i < x.count; ++i, right += kPanel) {
      Unsigned columns[kVectors];
      for (int v = 0; v < kVectors; ++v) load(columns[v], right + v * kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        typename Numbers::Left group;
        numbers.take(group, left + r * x.row + i);
        for (int v = 0; v < kVectors; ++v) numbers.add(sum[r][v], group, columns[v]);
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v) write(sum[r][v], row + r, at + v * kLanes);
    }
  }

  [[gnu::always_inline]] void write(const Numbers::Sum& sum, int64_t row, int64_t column) const {
    Float y, bias;
    numbers.end(y, sum, row, column);
    load(bias, finish.bias + column);
    y += bias;
    if (finish.relu) y = y > 0 ? y : Float{};
    const int64_t place = row * finish.y_row + column;
    if (finish.residual != nullptr) {
      Float residual;
      load(residual, finish.residual + place);
      y += residual;
    }
    std::memcpy(finish.y + place, &y, sizeof y);
  }

  /// The `count` rows from `row` on of a tile that has room for kMost.
  template <int kMost, int kVectors>
  [[gnu::always_inline]] void rows_of_tile(int64_t count, int64_t row, int64_t panel, int64_t column) const {
    if constexpr (kMost > 1) {
      if (count < kMost) return rows_of_tile<kMost - 1, kVectors>(count, row, panel, column);
    }
    tile<kMost, kVectors>(row, panel, column);
  }

  /// A panel is used for all rows before the next one is read.
  template <int kRows, int kVectors>
  [[gnu::always_inline]] void run() const {
    for (int64_t panel = range.first; panel < range.last; ++panel) {
      for (int64_t column = 0; column < kPanel; column += kVectors * kLanes) {
        for (int64_t row = 0; row < rows; row += kRows) {
          rows_of_tile<kRows, kVectors>(std::min<int64_t>(rows - row, kRows), row, panel, column);
        }
      }
    }
  }
};

// Tiles fill the processor's registers: 32 of 16 floats, 16 of 8, or 16 of 4.
#if defined(__x86_64__)
template <class Numbers>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]] void run_avx512(const Product<Numbers>& product) {
  product.template run<12, 2>();
}
template <class Numbers>
[[gnu::target("avx2,fma")]] void run_avx2(const Product<Numbers>& product) {
  product.template run<6, 2>();
}
using Avx512 = Vectors<16>;
using Avx2 = Vectors<8>;
#endif
using Least = Vectors<4>;

/// What the three products are made of.
struct Operands {
  const Groups& x;
  int64_t rows;
  const Groups& weight;
  PanelRange range;
  const Finish& finish;

  template <class Numbers>
  Product<Numbers> product(const Numbers& numbers) const {
    return {numbers, x, rows, weight, range, finish};
  }
};

/// Numbers: of a width of vectors, made with `scales`.
template <template <class> class Numbers, class... Scales>
void run_widest(const Operands& operands, const Scales&... scales) {
#if defined(__x86_64__)
  static const Width widest = width();
  if (widest == Width::Avx512) return run_avx512(operands.product(Numbers<Avx512>{scales...}));
  if (widest == Width::Avx2) return run_avx2(operands.product(Numbers<Avx2>{scales...}));
#endif
  operands.product(Numbers<Least>{scales...}).template run<4, 2>();
}

}  // namespace

void float_product(const Groups& x, int64_t rows, const Groups& weight, PanelRange range, const Finish& finish) {
  run_widest<Floats>({x, rows, weight, range, finish});
}

void bfloat16_product(const Groups& x, int64_t rows, const Groups& weight, PanelRange range, const Finish& finish) {
  const Operands operands{x, rows, weight, range, finish};
#if HEED_HAS_NARROW_PRODUCTS
  if (has_bfloat16_products()) return run_avx512(operands.product(FastBFloat16<Avx512>{}));
#endif
  run_widest<PlainBFloat16>(operands);
}

void byte_product(const Groups& x, int64_t rows, const Groups& weight, PanelRange range, const ByteScales& scales,
                  const Finish& finish) {
  const Operands operands{x, rows, weight, range, finish};
#if HEED_HAS_NARROW_PRODUCTS
  if (has_byte_products()) return run_avx512(operands.product(FastBytes<Avx512>{{scales}}));
#endif
  run_widest<PlainBytes>(operands, scales);
}

}  // namespace heed::engine
