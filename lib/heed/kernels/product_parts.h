// Shared code of the matrix multiplications: vectors, the multiplication of each kind of groups, and what is applied to
// the sums. Only the files with these multiplications include it.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "heed/kernels/gemm_kernels.h"
#include "heed/kernels/lanes.h"

namespace heed::kernels {

/// Vectors as wide as the processor's registers. Wider ones are several registers, and the compiler keeps them in
/// memory.
template <int lanes>
struct Vectors {
  static constexpr int64_t kLanes = lanes;
  using Float = Lanes<float, lanes>::Part;
  using Int = Lanes<int32_t, lanes>::Part;
  using Unsigned = Lanes<uint32_t, lanes>::Part;
};

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

/// The operands of a matrix multiplication.
struct Operands {
  const Groups& x;
  int64_t rows;
  const Groups& weight;
  PanelRange range;
  const Epilogue& finish;
};

/// The same on Intel's matrix unit (AMX), for int8 and bfloat16. Its registers hold tiles of 16 rows of 64 bytes, and
/// one instruction multiplies two tiles. A packed weight has the layout of right-hand tiles. Called by
/// bfloat16_gemm() and int8_gemm() if has_amx() (vector_code.h).
void bfloat16_tiles(const Operands& operands);
void byte_tiles(const Operands& operands, const ByteScales& scales);

/// Finishes the sums of a row's columns: converts to floats, + bias, max(0, .), + residual. NaN stays NaN. column:
/// relative to the range.
template <class Numbers>
[[gnu::always_inline]] inline void write_sums(const Numbers& numbers, const Epilogue& finish,
                                              const typename Numbers::Sum& sum, int64_t row, int64_t column) {
  typename Numbers::Float y, bias;
  numbers.end(y, sum, row, column);
  load(bias, finish.bias + column);
  y += bias;
  if (finish.relu) y = y < 0 ? typename Numbers::Float{} : y;
  const int64_t place = row * finish.y_row + column;
  if (finish.residual != nullptr) {
    typename Numbers::Float residual;
    load(residual, finish.residual + place);
    y += residual;
  }
  std::memcpy(finish.y + place, &y, sizeof y);
}

}  // namespace heed::kernels
