#include "heed/engine/kernels/processor.h"

#include "heed/nn/kernels/vector_code.h"

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
#else
bool has_byte_products() { return false; }
bool has_bfloat16_products() { return false; }
#endif

}  // namespace heed::engine
