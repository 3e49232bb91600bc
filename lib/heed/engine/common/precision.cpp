#include "heed/engine/common/precision.h"

#include "heed/kernels/vector_code.h"

namespace heed::engine {

Precision precision_of(PrecisionChoice choice) {
  switch (choice) {
    case PrecisionChoice::Float32:
      return Precision::Float32;
    case PrecisionChoice::BFloat16:
      return Precision::BFloat16;
    case PrecisionChoice::Int8:
      return Precision::Int8;
    case PrecisionChoice::Auto:
      break;
  }
  if (kernels::has_avx512_vnni() || kernels::has_dot_product()) return Precision::Int8;
  return kernels::has_avx512_bf16() ? Precision::BFloat16 : Precision::Float32;
}

}  // namespace heed::engine
