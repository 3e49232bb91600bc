// oneDNN's products of float32 and of bfloat16 matrices. It is opened when the program runs, apart from all other
// libraries: LibTorch contains another version of oneDNN, and with both linked one of them ends up calling functions of
// the other. Its code is made once for all sizes, where LibTorch's operators over oneDNN make code for every shape
// anew.
#pragma once

#include <cstdint>

#include <c10/util/BFloat16.h>

namespace heed::nn {

/// Rows of a matrix, or its columns where it lies in memory transposed, `distance` numbers apart. T: float, BFloat16.
template <class T>
struct GemmOperand {
  const T* numbers;
  int64_t distance;
  bool transposed;
};

/// Whether the library was found, on Linux for x86-64; elsewhere callers use LibTorch's products. For BFloat16 the
/// processor must have instructions for them.
template <class T>
bool has_gemm();

/// result = keep * result + a b with a: [m, k], b: [k, n] and result: [m, n], its rows without gaps, by `threads`
/// OpenMP threads; sums are in float32. Throws c10::Error if the library cannot. No signal handler may run on the
/// calling thread's stack meanwhile: block signals in threads that compute, or give handlers a stack of their own
/// (sigaltstack).
template <class T>
void gemm(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& a, const GemmOperand<T>& b, float keep, float* result,
          int threads);

}  // namespace heed::nn
