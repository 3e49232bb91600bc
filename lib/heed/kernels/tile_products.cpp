#include "heed/kernels/product_parts.h"

#include <algorithm>

#include "heed/kernels/vector_code.h"

#if HEED_HAS_LOW_PRECISION
#include <immintrin.h>

namespace heed::kernels {
namespace {

/// The shapes of the eight tile registers: each has all 16 rows of 64 bytes.
struct TileConfiguration {
  uint8_t palette = 1;
  uint8_t first_row = 0;
  uint8_t reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// Tiles 0 to 3 are the sums of 32 rows and a panel of 32 columns, 4 and 5 rows of x, 6 and 7 columns of the weight.

struct ByteTiles {
  using Numbers = PlainBytes<Vectors<16>>;
  [[gnu::target("amx-tile,amx-int8"), gnu::always_inline]] static void multiply_upper() {
    _tile_dpbusd(0, 4, 6);
    _tile_dpbusd(1, 4, 7);
  }
  [[gnu::target("amx-tile,amx-int8"), gnu::always_inline]] static void multiply_lower() {
    _tile_dpbusd(2, 5, 6);
    _tile_dpbusd(3, 5, 7);
  }
};

struct BFloat16Tiles {
  using Numbers = Floats<Vectors<16>>;
  [[gnu::target("amx-tile,amx-bf16"), gnu::always_inline]] static void multiply_upper() {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
  }
  [[gnu::target("amx-tile,amx-bf16"), gnu::always_inline]] static void multiply_lower() {
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
};

/// The sums of 32 rows and 32 columns, stored from the tiles.
struct Sums {
  alignas(64) uint32_t numbers[2 * kTile][kPanel];
};

#define HEED_TILES "amx-tile,amx-int8,amx-bf16,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"

/// both: whether there are more than 16 rows, starting at `row`.
template <class Tiles>
[[gnu::target(HEED_TILES)]] void multiply(const Operands& of, int64_t row, const Group* right, bool both, Sums& sums) {
  constexpr int64_t kStride = kPanel * sizeof(Group);
  const Group* left = of.x.numbers + row * of.x.row;
  const auto left_stride = of.x.row * static_cast<int64_t>(sizeof(Group));
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (int64_t i = 0; i < of.x.count; i += kTile, right += kTile * kPanel) {
    _tile_loadd(6, right, kStride);
    _tile_loadd(7, right + kTile, kStride);
    _tile_loadd(4, left + i, left_stride);
    Tiles::multiply_upper();
    if (!both) continue;
    _tile_loadd(5, left + kTile * of.x.row + i, left_stride);
    Tiles::multiply_lower();
  }
  _tile_stored(0, sums.numbers[0], kStride);
  _tile_stored(1, sums.numbers[0] + kTile, kStride);
  if (!both) return;
  _tile_stored(2, sums.numbers[kTile], kStride);
  _tile_stored(3, sums.numbers[kTile] + kTile, kStride);
}

template <class Numbers>
[[gnu::target(HEED_TILES)]] void write(const Numbers& numbers, const Operands& of, int64_t row, int64_t column,
                                       const Sums& sums) {
  const int64_t rows = std::min(of.rows - row, 2 * kTile);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < kPanel; c += kTile) {
      typename Numbers::Sum sum, first;
      load(sum, sums.numbers[r] + c);
      numbers.begin(first, column + c);
      sum += first;
      write_sums(numbers, of.finish, sum, row + r, column + c);
    }
  }
}

/// Each panel is used for all rows before the next one is read.
template <class Tiles>
[[gnu::target(HEED_TILES)]] void run(const Operands& of, const typename Tiles::Numbers& numbers) {
  const TileConfiguration configuration;
  _tile_loadconfig(&configuration);
  Sums sums;
  for (int64_t panel = of.range.first; panel < of.range.last; ++panel) {
    const Group* right = of.weight.numbers + panel * of.weight.count * kPanel;
    for (int64_t row = 0; row < of.rows; row += 2 * kTile) {
      multiply<Tiles>(of, row, right, of.rows - row > kTile, sums);
      write(numbers, of, row, (panel - of.range.first) * kPanel, sums);
    }
  }
  _tile_release();
}

}  // namespace

void bfloat16_tiles(const Operands& operands) { run<BFloat16Tiles>(operands, {}); }

void byte_tiles(const Operands& operands, const ByteScales& scales) { run<ByteTiles>(operands, {scales}); }

}  // namespace heed::kernels
#endif
