#include "heed_torch/nn/products/gemm.h"

#include <algorithm>
#include <type_traits>

#include <c10/util/Exception.h>
#if defined(__linux__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#include <dlfcn.h>
#endif

namespace heed::nn {
namespace {

// The signature of dnnl_sgemm in dnnl.h, unchanged since version 1, and of dnnl_gemm_bf16bf16f32, which the library
// exports for its own tests. They return 0 on success.
template <class T>
using Multiply = int (*)(char a_way, char b_way, int64_t m, int64_t n, int64_t k, float factor, const T* a,
                         int64_t a_distance, const T* b, int64_t b_distance, float keep, float* result,
                         int64_t result_distance);

/// Functions of the library's OpenMP.
struct Threads {
  void (*set)(int threads) = nullptr;
  void (*set_dynamic)(int fewer_allowed) = nullptr;
  int (*limit)() = nullptr;

  bool found() const { return set != nullptr && set_dynamic != nullptr && limit != nullptr; }
  /// Sets the threads of the next multiplication. oneDNN leaves out a part of it if it gets fewer, which the variables
  /// OMP_THREAD_LIMIT and OMP_DYNAMIC would cause.
  void use(int threads) const {
    set_dynamic(0);
    set(std::min(threads, limit()));
  }
};

struct Library {
  Multiply<float> multiply = nullptr;
  Multiply<c10::BFloat16> multiply_bfloat16 = nullptr;  // also null if the processor has no instructions for it
  Threads threads = {};
};

// On other platforms than x86, oneDNN is no faster than LibTorch. With the address sanitizer, a library cannot be
// opened separately.
#if defined(__linux__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
// Builds of the library, or environment variables, can disable bfloat16.
bool multiplies(Multiply<c10::BFloat16> multiply) {
  const c10::BFloat16 two = 2, three = 3;
  float result = 0;
  return multiply('N', 'N', 1, 1, 1, 1, &two, 1, &three, 1, 0, &result, 1) == 0 && result == 6;
}

Library open_library() {
  for (const char* name : {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so.1", "libdnnl.so"}) {
    void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (handle == nullptr) continue;
    Library found{.multiply = reinterpret_cast<Multiply<float>>(dlsym(handle, "dnnl_sgemm")),
                  .threads = {.set = reinterpret_cast<void (*)(int)>(dlsym(handle, "omp_set_num_threads")),
                              .set_dynamic = reinterpret_cast<void (*)(int)>(dlsym(handle, "omp_set_dynamic")),
                              .limit = reinterpret_cast<int (*)()>(dlsym(handle, "omp_get_thread_limit"))}};
    if (__builtin_cpu_supports("avx512bf16")) {
      found.multiply_bfloat16 = reinterpret_cast<Multiply<c10::BFloat16>>(dlsym(handle, "dnnl_gemm_bf16bf16f32"));
    }
    if (found.multiply_bfloat16 != nullptr && !multiplies(found.multiply_bfloat16)) found.multiply_bfloat16 = nullptr;
    if (found.multiply != nullptr && found.threads.found()) return found;
    dlclose(handle);
  }
  return {};
}
#else
Library open_library() { return {}; }
#endif

const Library& library() {
  static const Library opened = open_library();
  return opened;
}

template <class T>
Multiply<T> multiply_of() {
  if constexpr (std::is_same_v<T, float>) {
    return library().multiply;
  } else {
    return library().multiply_bfloat16;
  }
}

}  // namespace

template <class T>
bool has_gemm() {
  return multiply_of<T>() != nullptr;
}

template <class T>
void gemm(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& a, const GemmOperand<T>& b, float keep, float* result,
          int threads) {
  TORCH_CHECK(has_gemm<T>(), "oneDNN was not found, or has no such products on this processor");
  library().threads.use(threads);
  const int status = multiply_of<T>()(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', m, n, k, 1, a.numbers,
                                      a.distance, b.numbers, b.distance, keep, result, n);
  TORCH_CHECK(status == 0, "oneDNN could not multiply [", m, ", ", k, "] and [", k, ", ", n, "], status ", status);
}

template bool has_gemm<float>();
template bool has_gemm<c10::BFloat16>();
template void gemm(int64_t, int64_t, int64_t, const GemmOperand<float>&, const GemmOperand<float>&, float, float*, int);
template void gemm(int64_t, int64_t, int64_t, const GemmOperand<c10::BFloat16>&, const GemmOperand<c10::BFloat16>&,
                   float, float*, int);

}  // namespace heed::nn
