#include "heed/kernels/vector_code.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace heed::nn::vector_code {
namespace {

Width of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma")) {
    return Width::Avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Width::Avx2;
#endif
  return Width::Least;
}

}  // namespace

Width width() {
  const char* asked = std::getenv("ATEN_CPU_CAPABILITY");
  const std::string_view limit = asked == nullptr ? "" : asked;
  if (limit == "default") return Width::Least;
  return limit == "avx2" ? std::min(of_processor(), Width::Avx2) : of_processor();
}

}  // namespace heed::nn::vector_code
