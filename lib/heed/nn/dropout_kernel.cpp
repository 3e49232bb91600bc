#include "heed/nn/dropout_kernel.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <c10/util/BFloat16.h>

#include "heed/nn/vector_code.h"

namespace heed::nn {
namespace {

using namespace vector_code;

// 32 random bits of (key, counter): triple32 (Wellons 2018, https://nullprogram.com/blog/2018/07/31/), a bijection of
// three multiplications, with half of the key added before the first and before the second.
[[gnu::always_inline]] inline void hash(Unsigned& bits, uint32_t first_key, uint32_t second_key) {
  bits += first_key;
  bits ^= bits >> 17;
  bits *= 0xed5ad4bbu;
  bits ^= bits >> 11;
  bits += second_key;
  bits *= 0xac4c1b51u;
  bits ^= bits >> 15;
  bits *= 0x31848babu;
  bits ^= bits >> 14;
}

[[gnu::always_inline]] inline void load_number(Float& number, const float* from) { load(number, from); }
[[gnu::always_inline]] inline void load_number(Double& number, const double* from) { load(number, from); }
[[gnu::always_inline]] inline void load_number(Float& number, const c10::BFloat16* from) {
  UnsignedShort bits;
  load(bits, from);
  number = reinterpret_cast<Float>(__builtin_convertvector(bits, Unsigned) << 16);
}
[[gnu::always_inline]] inline void store_number(float* to, const Float& number) { store(to, number); }
[[gnu::always_inline]] inline void store_number(double* to, const Double& number) { store(to, number); }
// Rounds to nearest, ties to even; what was NaN in bfloat16 stays so.
[[gnu::always_inline]] inline void store_number(c10::BFloat16* to, const Float& number) {
  const Unsigned bits = reinterpret_cast<Unsigned>(number);
  store(to, __builtin_convertvector((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16, UnsignedShort));
}

// keep: all bits set or none.
[[gnu::always_inline]] inline void masked(Float& number, const Int& keep) {
  number = reinterpret_cast<Float>(reinterpret_cast<Int>(number) & keep);
}
[[gnu::always_inline]] inline void masked(Double& number, const Int& keep) {
  number = reinterpret_cast<Double>(reinterpret_cast<Long>(number) & __builtin_convertvector(keep, Long));
}

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
    Unsigned bits = Unsigned{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} + static_cast<uint32_t>(first / 2);
    hash(bits, static_cast<uint32_t>(mask.key), static_cast<uint32_t>(mask.key >> 32));
    const Int threshold = Int{} + static_cast<int32_t>(mask.threshold);
    half_block(from, added, to, reinterpret_cast<Int>(bits & 0xffffu) >= threshold);
    half_block(from + kLanes, added == nullptr ? added : added + kLanes, to + kLanes,
               reinterpret_cast<Int>(bits >> 16) >= threshold);
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
