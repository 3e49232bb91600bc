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
/// For processors that multiply 16-bit integers and add them in pairs: bytes 0 and 2 of a group, then 1 and 3. (AVX2
/// can also multiply bytes, but adds the results in 16 bits, which overflow.)
template <class Vector>
struct PairedBytes : PlainBytes<Vector> {
  using typename PlainBytes<Vector>::Unsigned, typename PlainBytes<Vector>::Sum;
  using Short [[gnu::vector_size(4 * Vector::kLanes)]] = int16_t;
  static constexpr int kTileRows = 4;  // which leaves registers for the halves of the columns
  struct Left {
    Unsigned even, odd;
  };

  [[gnu::always_inline]] void take(Left& left, const Group* group) const {
    Unsigned lanes;
    broadcast(lanes, *group);
    left.even = lanes & 0x00ff00ffu;
    left.odd = (lanes >> 8) & 0x00ff00ffu;
  }
  [[gnu::always_inline]] void add(Sum& sum, const Left& left, const Unsigned& right) const {
    const Short bytes = reinterpret_cast<Short>(right), even = (bytes << 8) >> 8, odd = bytes >> 8;
    Sum pairs[2];
    asm("vpmaddwd %2, %1, %0" : "=v"(pairs[0]) : "v"(left.even), "v"(even));
    asm("vpmaddwd %2, %1, %0" : "=v"(pairs[1]) : "v"(left.odd), "v"(odd));
    sum += pairs[0] + pairs[1];
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
/// of 8, or 16 of 4.
template <class Numbers>
constexpr int tile_rows() {
  if constexpr (requires { Numbers::kTileRows; }) return Numbers::kTileRows;
  constexpr int64_t kWidth = Numbers::Lanes::kLanes;
  return kWidth == 16 ? 14 : kWidth == 8 ? 6 : 4;
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

}  // namespace

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
  static const bool paired = width() == Width::Avx2;
  if (paired) return run_avx2(Scaled<PairedBytes>{operands, scales});
#endif
  run_vectorized(Scaled<PlainBytes>{operands, scales});
}

}  // namespace heed::kernels
