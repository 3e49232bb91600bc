// oneDNN's matrix multiplications of float32 and bfloat16. The library is opened at run time, separately from all
// others. LibTorch contains another version of oneDNN, and if both were linked, one would call functions of the other.
// oneDNN's gemm generates its code once for all sizes; LibTorch's oneDNN operators generate code again for every shape.
#pragma once

#include <cstdint>

#include <c10/util/BFloat16.h>

namespace heed::nn {

/// The rows of a matrix, or its columns if it is transposed in memory; `distance` is their stride. T: float, BFloat16.
template <class T>
struct GemmOperand {
  const T* numbers;
  int64_t distance;
  bool transposed;
};

/// Whether the library was found (only on Linux for x86-64); otherwise callers use LibTorch. For BFloat16 the processor
/// must also have AVX512-BF16 instructions.
template <class T>
bool has_gemm();

/// result = keep * result + a b with a: [m, k], b: [k, n] and a contiguous result: [m, n], computed by `threads` OpenMP
/// threads. Sums are float32. Throws c10::Error if the library fails. Meanwhile no signal handler may run on the
/// calling thread's stack: block signals in computing threads, or give handlers their own stack (sigaltstack).
template <class T>
void gemm(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& a, const GemmOperand<T>& b, float keep, float* result,
          int threads);

}  // namespace heed::nn
