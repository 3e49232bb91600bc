// The dtypes of a model.bin, by their positions in CTranslate2's list.
#pragma once

#include <array>
#include <cstdint>

#include <c10/core/ScalarType.h>

namespace heed::interchange {

inline constexpr uint32_t kBinaryVersion = 6;
inline constexpr std::array kModelFileTypes{at::kFloat, at::kChar, at::kShort, at::kInt, at::kHalf, at::kBFloat16};

}  // namespace heed::interchange
