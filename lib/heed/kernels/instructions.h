// What vector code runs on, for reports.
#pragma once

#include <string>

namespace heed::kernels {

/// The vector instructions that heed uses on this processor: "AVX-512 with VNNI and BF16, AMX" (vector_code.h).
std::string vector_instructions();

}  // namespace heed::kernels
