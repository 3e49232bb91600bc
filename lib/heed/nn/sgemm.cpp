#include "heed/nn/sgemm.h"

#include <c10/util/Exception.h>
#if defined(__linux__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#include <dlfcn.h>
#endif

namespace heed::nn {
namespace {

// dnnl_sgemm of dnnl.h, the same since version 1; 0 is success.
using Multiply = int (*)(char a_way, char b_way, int64_t m, int64_t n, int64_t k, float factor, const float* a,
                         int64_t a_distance, const float* b, int64_t b_distance, float keep, float* result,
                         int64_t result_distance);
using SetThreads = void (*)(int threads);

struct Library {
  Multiply multiply = nullptr;
  SetThreads set_threads = nullptr;
};

// Elsewhere than on x86 its products are no faster than LibTorch's. The address sanitizer cannot open a library apart.
#if defined(__linux__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
Library open_library() {
  for (const char* name : {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so.1", "libdnnl.so"}) {
    void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (handle == nullptr) continue;
    const Library found{.multiply = reinterpret_cast<Multiply>(dlsym(handle, "dnnl_sgemm")),
                        .set_threads = reinterpret_cast<SetThreads>(dlsym(handle, "omp_set_num_threads"))};
    if (found.multiply != nullptr && found.set_threads != nullptr) return found;
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

}  // namespace

bool has_sgemm() { return library().multiply != nullptr; }

void sgemm(int64_t m, int64_t n, int64_t k, const SgemmOperand& a, const SgemmOperand& b, float keep, float* result,
           int threads) {
  TORCH_CHECK(has_sgemm(), "oneDNN was not found");
  library().set_threads(threads);
  const int status = library().multiply(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', m, n, k, 1, a.numbers,
                                        a.distance, b.numbers, b.distance, keep, result, n);
  TORCH_CHECK(status == 0, "oneDNN could not multiply [", m, ", ", k, "] and [", k, ", ", n, "], status ", status);
}

}  // namespace heed::nn
