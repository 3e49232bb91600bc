#include "heed/kernels/processor.h"

#if HEED_HAS_NARROW_PRODUCTS
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "heed/kernels/vector_code.h"

namespace heed::engine {

#if HEED_HAS_NARROW_PRODUCTS
bool has_byte_products() {
  using namespace nn::vector_code;
  static const bool found = width() == Width::Avx512 && __builtin_cpu_supports("avx512vnni");
  return found;
}
bool has_bfloat16_products() {
  using namespace nn::vector_code;
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

bool has_tile_products() {
  using namespace nn::vector_code;
  static const bool found = width() == Width::Avx512 && processor_has_tiles() && system_allows_tiles();
  return found;
}
#else
bool has_tile_products() { return false; }
bool has_byte_products() { return false; }
bool has_bfloat16_products() { return false; }
#endif

}  // namespace heed::engine
