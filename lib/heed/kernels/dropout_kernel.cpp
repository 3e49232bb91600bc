#include "heed/kernels/dropout_kernel.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "heed/kernels/vector_code.h"
#include "heed/kernels/vector_functions.h"

namespace heed::kernels {
namespace {

template <class Number, class T>
[[gnu::always_inline]] inline void load_number(Number& number, const T* from) {
  load(number, from);
}
template <int kWidth>
[[gnu::always_inline]] inline void load_number(Lanes<float, kWidth>& number, const uint16_t* from) {
  load_bfloat16(number, from);
}
template <class Number, class T>
[[gnu::always_inline]] inline void store_number(T* to, const Number& number) {
  store(to, number);
}
template <int kWidth>
[[gnu::always_inline]] inline void store_number(uint16_t* to, const Lanes<float, kWidth>& number) {
  store_rounded(to, number);
}

template <class T>
struct DropoutKernel {
  DropoutMask mask;
  const T* x;
  const T* residual;
  T* result;
  int64_t begin, end;

  template <class R>
  [[gnu::always_inline]] void half_block(const T* from, const T* added, T* to, const R::Int& keep) const {
    using Number = std::conditional_t<std::is_same_v<T, double>, typename R::Double, typename R::Float>;
    Number number;
    load_number(number, from);
    number *= static_cast<std::remove_reference_t<decltype(number[0])>>(mask.scale());
    masked(number, keep);
    if (added != nullptr) {
      Number sum;
      load_number(sum, added);
      number += sum;
    }
    store_number(to, number);
  }

  template <class R>
  [[gnu::always_inline]] void block(const T* from, const T* added, T* to, int64_t first) const {
    typename R::Int keep_first, keep_second;
    kept_lanes(mask, first, keep_first, keep_second);
    half_block<R>(from, added, to, keep_first);
    half_block<R>(from + kLanes, added == nullptr ? added : added + kLanes, to + kLanes, keep_second);
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    constexpr int64_t kBlock = DropoutMask::kBlock;
    int64_t i = begin;
    if (residual == nullptr) {
      for (; i + kBlock <= end; i += kBlock) block<R>(x + i, nullptr, result + i, i);
    } else {
      for (; i + kBlock <= end; i += kBlock) block<R>(x + i, residual + i, result + i, i);
    }
    if (i == end) return;
    T from[kBlock] = {}, added[kBlock] = {}, to[kBlock];
    std::copy(x + i, x + end, from);
    if (residual != nullptr) std::copy(residual + i, residual + end, added);
    block<R>(from, added, to, i);
    std::copy(to, to + (end - i), result + i);
  }
};

}  // namespace

DropoutMask DropoutMask::with_probability(uint64_t key, double probability) {
  const double steps = std::clamp(std::round(probability * kSteps), 1.0, kSteps - 1);
  return {.key = key, .threshold = static_cast<uint32_t>(steps)};
}

template <class T>
void apply_dropout(const DropoutMask& mask, const T* x, const T* residual, T* result, int64_t begin, int64_t end) {
  run_vectorized(DropoutKernel<T>{mask, x, residual, result, begin, end});
}

template void apply_dropout(const DropoutMask&, const float*, const float*, float*, int64_t, int64_t);
template void apply_dropout(const DropoutMask&, const double*, const double*, double*, int64_t, int64_t);
template void apply_dropout(const DropoutMask&, const uint16_t*, const uint16_t*, uint16_t*, int64_t, int64_t);

}  // namespace heed::kernels
