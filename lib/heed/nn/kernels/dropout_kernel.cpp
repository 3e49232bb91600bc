#include "heed/nn/kernels/dropout_kernel.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <c10/util/BFloat16.h>

#include "heed/nn/kernels/vector_code.h"
#include "heed/nn/kernels/vector_functions.h"

namespace heed::nn {
namespace {

using namespace vector_code;

[[gnu::always_inline]] inline void load_number(Float& number, const float* from) { load(number, from); }
[[gnu::always_inline]] inline void load_number(Double& number, const double* from) { load(number, from); }
[[gnu::always_inline]] inline void load_number(Float& number, const c10::BFloat16* from) {
  UnsignedShort bits;
  load(bits, from);
  number = reinterpret_cast<Float>(__builtin_convertvector(bits, Unsigned) << 16);
}
[[gnu::always_inline]] inline void store_number(float* to, const Float& number) { store(to, number); }
[[gnu::always_inline]] inline void store_number(double* to, const Double& number) { store(to, number); }
[[gnu::always_inline]] inline void store_number(c10::BFloat16* to, const Float& number) { store_rounded(to, number); }

template <class T>
struct DropoutKernel {
  using Number = std::conditional_t<std::is_same_v<T, double>, Double, Float>;
  DropoutMask mask;
  const T* x;
  const T* residual;
  T* result;
  int64_t begin, end;

  [[gnu::always_inline]] void half_block(const T* from, const T* added, T* to, const Int& keep) const {
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

  [[gnu::always_inline]] void block(const T* from, const T* added, T* to, int64_t first) const {
    Int keep_first, keep_second;
    kept_lanes(mask, first, keep_first, keep_second);
    half_block(from, added, to, keep_first);
    half_block(from + kLanes, added == nullptr ? added : added + kLanes, to + kLanes, keep_second);
  }

  [[gnu::always_inline]] void operator()() const {
    constexpr int64_t kBlock = DropoutMask::kBlock;
    int64_t i = begin;
    if (residual == nullptr) {
      for (; i + kBlock <= end; i += kBlock) block(x + i, nullptr, result + i, i);
    } else {
      for (; i + kBlock <= end; i += kBlock) block(x + i, residual + i, result + i, i);
    }
    if (i == end) return;
    T from[kBlock] = {}, added[kBlock] = {}, to[kBlock];
    std::copy(x + i, x + end, from);
    if (residual != nullptr) std::copy(residual + i, residual + end, added);
    block(from, added, to, i);
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
template void apply_dropout(const DropoutMask&, const c10::BFloat16*, const c10::BFloat16*, c10::BFloat16*, int64_t,
                            int64_t);

}  // namespace heed::nn
