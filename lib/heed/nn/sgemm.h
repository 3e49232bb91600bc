// oneDNN's product of float32 matrices. It is opened when the program runs, apart from all other libraries: LibTorch
// contains another version of oneDNN, and with both linked one of them ends up calling functions of the other.
#pragma once

#include <cstdint>

namespace heed::nn {

/// Rows of a matrix, or its columns where it lies in memory transposed, `distance` numbers apart.
struct SgemmOperand {
  const float* numbers;
  int64_t distance;
  bool transposed;
};

/// Whether the library was found; if not, callers use LibTorch's products.
bool has_sgemm();

/// result = keep * result + a b with a: [m, k], b: [k, n] and result: [m, n], its rows without gaps, by `threads` OpenMP
/// threads. Throws c10::Error if the library cannot. No signal handler may run on the calling thread's stack meanwhile:
/// block signals in threads that compute, or give handlers a stack of their own (sigaltstack).
void sgemm(int64_t m, int64_t n, int64_t k, const SgemmOperand& a, const SgemmOperand& b, float keep, float* result,
           int threads);

}  // namespace heed::nn
