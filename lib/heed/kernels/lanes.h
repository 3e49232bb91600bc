// Sixteen numbers that vector code (vector_code.h) computes with at once, in vectors as wide as the processor's
// registers. With wider vectors the compiler would compare, select and convert number by number.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heed::kernels {

constexpr int64_t kLanes = 16;
/// `count`, rounded up to whole vectors.
constexpr int64_t padded_to_lanes(int64_t count) { return (count + kLanes - 1) / kLanes * kLanes; }

/// kLanes numbers, kWidth in each vector. Operators work lane by lane; a scalar operand is used in every lane. All
/// functions must be inlined into code for such registers, so vectors are never passed in calls.
/// Operators with scalar operands are much faster than Lanes(number): GCC writes a vector that a function only stores
/// lane by lane if the baseline processor has no register for it.
template <class T, int kWidth>
struct Lanes {
  static constexpr int kParts = kLanes / kWidth;
  using Part [[gnu::vector_size(kWidth * sizeof(T))]] = T;
  /// The result of comparisons: in each lane, all bits are set or none.
  using Mask = Lanes<std::conditional_t<sizeof(T) == 8, int64_t, int32_t>, kWidth>;

  Part part[kParts];

  Lanes() = default;
  [[gnu::always_inline]] Lanes(T number) {  // NOLINT(google-explicit-constructor): a number is one
    for (int p = 0; p < kParts; ++p) part[p] = Part{} + number;
  }
  [[gnu::always_inline]] T operator[](int64_t lane) const { return part[lane / kWidth][lane % kWidth]; }

// NOLINTBEGIN(bugprone-macro-parentheses): types and operators have none
#define HEED_OPERATOR(Result, op)                                                           \
  [[gnu::always_inline]] friend inline Result operator op(const Lanes& a, const Lanes& b) { \
    Result result;                                                                          \
    for (int p = 0; p < kParts; ++p) result.part[p] = a.part[p] op b.part[p];               \
    return result;                                                                          \
  }                                                                                         \
  [[gnu::always_inline]] friend inline Result operator op(const Lanes& a, T b) {            \
    Result result;                                                                          \
    for (int p = 0; p < kParts; ++p) result.part[p] = a.part[p] op b;                       \
    return result;                                                                          \
  }                                                                                         \
  [[gnu::always_inline]] friend inline Result operator op(T a, const Lanes& b) {            \
    Result result;                                                                          \
    for (int p = 0; p < kParts; ++p) result.part[p] = a op b.part[p];                       \
    return result;                                                                          \
  }
  HEED_OPERATOR(Lanes, +)
  HEED_OPERATOR(Lanes, -)
  HEED_OPERATOR(Lanes, *)
  HEED_OPERATOR(Lanes, /)
  HEED_OPERATOR(Lanes, &)
  HEED_OPERATOR(Lanes, |)
  HEED_OPERATOR(Lanes, ^)
  HEED_OPERATOR(Lanes, <<)
  HEED_OPERATOR(Lanes, >>)
  HEED_OPERATOR(Mask, <)
  HEED_OPERATOR(Mask, >)
  HEED_OPERATOR(Mask, >=)
  HEED_OPERATOR(Mask, ==)
#undef HEED_OPERATOR
  // NOLINTEND(bugprone-macro-parentheses)
  [[gnu::always_inline]] Lanes operator-() const {
    Lanes result;
    for (int p = 0; p < kParts; ++p) result.part[p] = -part[p];
    return result;
  }
  [[gnu::always_inline]] Lanes operator~() const {
    Lanes result;
    for (int p = 0; p < kParts; ++p) result.part[p] = ~part[p];
    return result;
  }
  [[gnu::always_inline]] Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  [[gnu::always_inline]] Lanes& operator+=(T b) { return *this = *this + b; }
  [[gnu::always_inline]] Lanes& operator-=(const Lanes& b) { return *this = *this - b; }
  [[gnu::always_inline]] Lanes& operator-=(T b) { return *this = *this - b; }
  [[gnu::always_inline]] Lanes& operator*=(const Lanes& b) { return *this = *this * b; }
  [[gnu::always_inline]] Lanes& operator*=(T b) { return *this = *this * b; }
  [[gnu::always_inline]] Lanes& operator^=(const Lanes& b) { return *this = *this ^ b; }
  [[gnu::always_inline]] Lanes& operator^=(T b) { return *this = *this ^ b; }
};

/// a if the mask is set, else b, lane by lane.
template <class T, int kWidth>
[[gnu::always_inline]] inline Lanes<T, kWidth> select(const typename Lanes<T, kWidth>::Mask& mask,
                                                      const Lanes<T, kWidth>& a, const Lanes<T, kWidth>& b) {
  Lanes<T, kWidth> result;
  for (int p = 0; p < a.kParts; ++p) result.part[p] = mask.part[p] ? a.part[p] : b.part[p];
  return result;
}
template <class T, int kWidth>
[[gnu::always_inline]] inline Lanes<T, kWidth> larger(const Lanes<T, kWidth>& a, const Lanes<T, kWidth>& b) {
  return select(a > b, a, b);
}

/// The same bits as numbers of another type of the same size.
template <class To, class T, int kWidth>
[[gnu::always_inline]] inline Lanes<To, kWidth> bits_as(const Lanes<T, kWidth>& lanes) {
  Lanes<To, kWidth> result;
  using Part = Lanes<To, kWidth>::Part;
  for (int p = 0; p < lanes.kParts; ++p) result.part[p] = reinterpret_cast<Part>(lanes.part[p]);
  return result;
}

/// |x|
template <int kWidth>
[[gnu::always_inline]] inline Lanes<float, kWidth> absolute(const Lanes<float, kWidth>& lanes) {
  return bits_as<float>(bits_as<int32_t>(lanes) & 0x7fffffff);
}

/// The same numbers, converted to another type.
template <class To, class T, int kWidth>
[[gnu::always_inline]] inline Lanes<To, kWidth> convert(const Lanes<T, kWidth>& lanes) {
  Lanes<To, kWidth> result;
  if constexpr (kWidth == 8 && sizeof(T) == 4 && sizeof(To) < 4) {  // the compiler would convert these one by one
    using Pieces [[gnu::vector_size(32)]] = To;
    constexpr int kStep = 4 / sizeof(To);
    for (int p = 0; p < lanes.kParts; ++p) {
      const auto pieces = reinterpret_cast<Pieces>(lanes.part[p]);
      result.part[p] = __builtin_shufflevector(pieces, pieces, 0, kStep, 2 * kStep, 3 * kStep, 4 * kStep, 5 * kStep,
                                               6 * kStep, 7 * kStep);
    }
  } else {
    using Part = Lanes<To, kWidth>::Part;
    for (int p = 0; p < lanes.kParts; ++p) result.part[p] = __builtin_convertvector(lanes.part[p], Part);
  }
  return result;
}

template <int kWidth>
[[gnu::always_inline]] inline bool any_lane(const Lanes<int32_t, kWidth>& mask) {
  using Halves = Lanes<int64_t, kWidth / 2>::Part;  // half as many lanes, so the same size in bytes
  auto all = mask.part[0];
  for (int p = 1; p < mask.kParts; ++p) all |= mask.part[p];
  const auto halves = reinterpret_cast<Halves>(all);
  int64_t any = 0;
  for (int i = 0; i < kWidth / 2; ++i) any |= halves[i];
  return any != 0;
}

/// One vector of numbers at `from`, of any alignment.
template <class Vector, class Memory>
[[gnu::always_inline]] inline void load(Vector& lanes, const Memory* from) {
  static_assert(sizeof(lanes[0]) == sizeof(Memory));
  std::memcpy(&lanes, from, sizeof lanes);
}
/// The lanes at `from`, of any alignment.
template <class T, int kWidth, class Memory>
[[gnu::always_inline]] inline void load(Lanes<T, kWidth>& lanes, const Memory* from) {
  static_assert(sizeof(T) == sizeof(Memory));
  for (int p = 0; p < lanes.kParts; ++p) load(lanes.part[p], from + p * kWidth);
}
template <class T, int kWidth, class Memory>
[[gnu::always_inline]] inline void store(Memory* to, const Lanes<T, kWidth>& lanes) {
  static_assert(sizeof(T) == sizeof(Memory));
  for (int p = 0; p < lanes.kParts; ++p) std::memcpy(to + p * kWidth, &lanes.part[p], sizeof lanes.part[p]);
}

/// The first `count` lanes; the others are `fill`.
template <int kWidth>
[[gnu::always_inline]] inline void load_some(Lanes<float, kWidth>& lanes, const float* from, int64_t count,
                                             float fill = 0) {
  if (count == kLanes) return load(lanes, from);
  lanes = fill;
  std::memcpy(&lanes, from, static_cast<size_t>(count) * sizeof(float));
}
template <int kWidth>
[[gnu::always_inline]] inline void store_some(float* to, const Lanes<float, kWidth>& lanes, int64_t count) {
  if (count == kLanes) return store(to, lanes);
  std::memcpy(to, &lanes, static_cast<size_t>(count) * sizeof(float));
}

}  // namespace heed::kernels
