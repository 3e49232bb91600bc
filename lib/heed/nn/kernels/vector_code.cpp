#include "heed/nn/kernels/vector_code.h"

#include <string>

#include <ATen/Version.h>

namespace heed::nn::vector_code {

Width width() {
  const std::string found = at::get_cpu_capability();
  if (found.starts_with("AVX512")) return Width::Avx512;
  return found == "AVX2" ? Width::Avx2 : Width::Least;
}

}  // namespace heed::nn::vector_code
