#include "heed/kernels/gemm_kernels.h"

#include <algorithm>

#include "heed/kernels/product_parts.h"
#include "heed/kernels/vector_code.h"

namespace heed::kernels {
namespace {

#if HEED_HAS_LOW_PRECISION
// One multiplication instruction each. They are assembler because a function with intrinsics cannot be inlined into a
// function that is also compiled for other processors.
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
    Sum now = sum;  // a separate operand: otherwise the compiler keeps all sums in memory
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
    Sum now = sum;  // a separate operand: otherwise the compiler keeps all sums in memory
    asm("vpdpbusd %2, %1, %0" : "+v"(now) : "v"(left), "v"(right));
    sum = now;
  }
};
/// For AVX2, and AVX-512 without VNNI: vpmaddubsw adds the products of bytes in pairs, in 16 bits;
/// largest_weight_byte() keeps them from overflowing. vpmaddwd adds the sums of two pairs.
template <class Vector>
struct PairedBytes : PlainBytes<Vector> {
  using typename PlainBytes<Vector>::Unsigned, typename PlainBytes<Vector>::Sum;
  using Left = Unsigned;

  [[gnu::always_inline]] void take(Left& left, const Group* group) const { broadcast(left, *group); }
  [[gnu::always_inline]] void add(Sum& sum, const Left& left, const Unsigned& right) const {
    const Unsigned ones = Unsigned{} + 0x00010001u;
    Unsigned pairs;
    Sum products;
    asm("vpmaddubsw %2, %1, %0" : "=v"(pairs) : "v"(left), "v"(right));
    asm("vpmaddwd %2, %1, %0" : "=v"(products) : "v"(pairs), "v"(ones));
    sum += products;
  }
};
#endif

#if defined(__aarch64__)
/// NEON's dot product of signed bytes. The bytes of x are 128 too large, so they lose that first, and their sums need
/// no correction.
template <class Vector>
struct DotBytes : PlainBytes<Vector> {
  using typename PlainBytes<Vector>::Unsigned, typename PlainBytes<Vector>::Sum;
  using Left = Unsigned;

  [[gnu::always_inline]] void begin(Sum& sum, int64_t) const { sum = Sum{}; }
  [[gnu::always_inline]] void take(Left& left, const Group* group) const { left = Unsigned{} + (*group ^ 0x80808080u); }
  [[gnu::always_inline]] void add(Sum& sum, const Left& left, const Unsigned& right) const {
    asm(".arch armv8.2-a+dotprod\n\tsdot %0.4s, %1.16b, %2.16b" : "+w"(sum) : "w"(left), "w"(right));
  }
};
#endif

/// Prefetches the next panel of the weight while this one is multiplied, so that it is in the cache when needed.
struct ReadAhead {
  const Group* next;  ///< null: no next panel
  int64_t lines;      ///< cache lines per prefetch

  static constexpr int64_t kGroups = 16;  ///< groups of the inner dimension between two prefetches
  static constexpr int64_t kLine = 64 / sizeof(Group);
  [[gnu::always_inline]] void ask() {
    if (next == nullptr) return;
    for (int64_t i = 0; i < lines; ++i, next += kLine) __builtin_prefetch(next, 0, 2);
  }
};

/// Multiplies in tiles of kRows rows and kVectors vectors of columns, whose sums stay in registers.
template <class Numbers>
struct Product {
  using Float = Numbers::Float;
  using Unsigned = Numbers::Unsigned;
  static constexpr int64_t kLanes = Numbers::Lanes::kLanes;
  const Numbers& numbers;
  const Operands& of;

  template <int kRows, int kVectors>
  [[gnu::always_inline]] void tile(int64_t row, int64_t panel, int64_t column, ReadAhead& ahead) const {
    const Group* right = of.weight.numbers + panel * of.weight.count * kPanel + column;
    const Group* left = of.x.numbers + row * of.x.row;
    const int64_t at = (panel - of.range.first) * kPanel + column;
    typename Numbers::Sum sum[kRows][kVectors];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v) numbers.begin(sum[r][v], at + v * kLanes);
    }
    for (int64_t i = 0; i < of.x.count;) {
      ahead.ask();
      for (const int64_t end = std::min(i + ReadAhead::kGroups, of.x.count); i < end; ++i, right += kPanel) {
        Unsigned columns[kVectors];
        for (int v = 0; v < kVectors; ++v) load(columns[v], right + v * kLanes);
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
          typename Numbers::Left group;
          numbers.take(group, left + r * of.x.row + i);
          for (int v = 0; v < kVectors; ++v) numbers.add(sum[r][v], group, columns[v]);
        }
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v) write_sums(numbers, of.finish, sum[r][v], row + r, at + v * kLanes);
    }
  }

  /// A tile of `count` rows starting at `row`; count is at most kMost.
  template <int kMost, int kVectors>
  [[gnu::always_inline]] void rows_of_tile(int64_t count, int64_t row, int64_t panel, int64_t column,
                                           ReadAhead& ahead) const {
    if constexpr (kMost > 1) {
      if (count < kMost) return rows_of_tile<kMost - 1, kVectors>(count, row, panel, column, ahead);
    }
    tile<kMost, kVectors>(row, panel, column, ahead);
  }

  /// Each panel is used for all rows before the next one is read. The tiles' numbers of rows differ by at most one.
  template <int kRows, int kVectors>
  [[gnu::always_inline]] void run() const {
    constexpr int64_t kColumns = kVectors * kLanes, kLines = ReadAhead::kGroups * kPanel / ReadAhead::kLine;
    const int64_t tiles = (of.rows + kRows - 1) / kRows, times = tiles * (kPanel / kColumns);
    for (int64_t panel = of.range.first; panel < of.range.last; ++panel) {
      const Group* next = of.weight.numbers + (panel + 1) * of.weight.count * kPanel;
      ReadAhead ahead{panel + 1 < of.range.last ? next : nullptr, (kLines + times - 1) / times};
      for (int64_t column = 0; column < kPanel; column += kColumns) {
        for (int64_t i = 0, row = 0; i < tiles; ++i) {
          const int64_t count = (of.rows - row + tiles - i - 1) / (tiles - i);
          rows_of_tile<kRows, kVectors>(count, row, panel, column, ahead);
          row += count;
        }
      }
    }
  }
};

/// Rows of a tile that fills the processor's registers with two vectors for each row: of 32 registers of 16 floats, 16
/// of 8, 16 of 4, or 32 of 4 (ARM64).
template <class Numbers>
constexpr int tile_rows() {
  constexpr int64_t kWidth = Numbers::Lanes::kLanes;
#if defined(__aarch64__)
  constexpr int kRowsOf4 = 12;
#else
  constexpr int kRowsOf4 = 4;
#endif
  return kWidth == 16 ? 14 : kWidth == 8 ? 6 : kRowsOf4;
}

/// A product whose numbers need no scales.
template <template <class> class Numbers>
struct Unscaled {
  const Operands& operands;

  template <class R>
  [[gnu::always_inline]] void run() const {
    using Its = Numbers<Vectors<R::kWidth>>;
    const Its numbers{};
    Product<Its>{numbers, operands}.template run<tile_rows<Its>(), 2>();
  }
};
template <template <class> class Numbers>
struct Scaled {
  const Operands& operands;
  const ByteScales& scales;

  template <class R>
  [[gnu::always_inline]] void run() const {
    using Its = Numbers<Vectors<R::kWidth>>;
    const Its numbers{{scales}};
    Product<Its>{numbers, operands}.template run<tile_rows<Its>(), 2>();
  }
};

/// Whether int8_gemm() uses PairedBytes.
bool adds_pairs_of_bytes() {
  static const bool found = HEED_HAS_LOW_PRECISION && width() != Width::Least && !has_avx512_vnni();
  return found;
}

}  // namespace

int largest_weight_byte() { return adds_pairs_of_bytes() ? 63 : 127; }

void float_gemm(const Groups& x, int64_t rows, const Groups& weight, PanelRange range, const Epilogue& finish) {
  run_vectorized(Unscaled<Floats>{{x, rows, weight, range, finish}});
}

void bfloat16_gemm(const Groups& x, int64_t rows, const Groups& weight, PanelRange range, const Epilogue& finish) {
  const Operands operands{x, rows, weight, range, finish};
#if HEED_HAS_LOW_PRECISION
  if (has_amx()) return bfloat16_tiles(operands);
  if (has_avx512_bf16()) return run_avx512(Unscaled<FastBFloat16>{operands});
#endif
  run_vectorized(Unscaled<PlainBFloat16>{operands});
}

void int8_gemm(const Groups& x, int64_t rows, const Groups& weight, PanelRange range, const ByteScales& scales,
               const Epilogue& finish) {
  const Operands operands{x, rows, weight, range, finish};
#if HEED_HAS_LOW_PRECISION
  constexpr int64_t kFewRows = 4;  // fewer rows leave most of a tile empty
  if (has_amx() && rows >= kFewRows) return byte_tiles(operands, scales);
  if (has_avx512_vnni()) return run_avx512(Scaled<FastBytes>{operands, scales});
  if (adds_pairs_of_bytes()) return run_vectorized(Scaled<PairedBytes>{operands, scales});
#endif
#if defined(__aarch64__)
  if (has_dot_product()) return Scaled<DotBytes>{operands, scales}.run<Registers<4>>();
#endif
  run_vectorized(Scaled<PlainBytes>{operands, scales});
}

}  // namespace heed::kernels
