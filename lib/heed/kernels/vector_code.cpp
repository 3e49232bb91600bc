#include "heed/kernels/vector_code.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "heed/kernels/instructions.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif
#if HEED_HAS_LOW_PRECISION
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace heed::kernels {
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

std::string_view limit_of_user() {
  const char* asked = std::getenv("ATEN_CPU_CAPABILITY");
  return asked == nullptr ? "" : asked;
}

}  // namespace

Width width() {
  const std::string_view limit = limit_of_user();
  if (limit == "default") return Width::Least;
  return limit == "avx2" ? std::min(of_processor(), Width::Avx2) : of_processor();
}

#if HEED_HAS_LOW_PRECISION
bool has_avx512_vnni() {
  static const bool found = width() == Width::Avx512 && __builtin_cpu_supports("avx512vnni");
  return found;
}
bool has_avx512_bf16() {
  static const bool found = width() == Width::Avx512 && __builtin_cpu_supports("avx512bf16");
  return found;
}

namespace {

/// Leaf 7 of CPUID: https://www.intel.com/content/www/us/en/developer/articles/technical/intel-sdm.html
bool processor_has_tiles() {
  constexpr unsigned kTile = 1u << 24, kInt8 = 1u << 25, kBFloat16 = 1u << 22, kAll = kTile | kInt8 | kBFloat16;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) == 1 && (d & kAll) == kAll;
}

/// Linux gives a process the registers only when it asks for them, since they are large.
bool system_allows_tiles() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

}  // namespace

bool has_amx() {
  static const bool found = width() == Width::Avx512 && processor_has_tiles() && system_allows_tiles();
  return found;
}
#else
bool has_amx() { return false; }
bool has_avx512_vnni() { return false; }
bool has_avx512_bf16() { return false; }
#endif

#if defined(__aarch64__)
bool has_dot_product() {
  constexpr unsigned long kDotProduct = 1ul << 20;  // HWCAP_ASIMDDP
  static const bool found = limit_of_user() != "default" && (getauxval(AT_HWCAP) & kDotProduct) != 0;
  return found;
}
#else
bool has_dot_product() { return false; }
#endif

std::string vector_instructions() {
#if defined(__x86_64__)
  if (width() == Width::Least) return "SSE2";
  if (width() == Width::Avx2) return "AVX2";
  std::string name = "AVX-512";
  if (has_avx512_vnni()) name += " with VNNI";
  if (has_avx512_bf16()) name += has_avx512_vnni() ? " and BF16" : " with BF16";
  return has_amx() ? name + ", AMX" : name;
#else
  return has_dot_product() ? "NEON with dot product" : "vectors of 4 floats";
#endif
}

}  // namespace heed::kernels
