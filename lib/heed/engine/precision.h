// The numbers that products of the engine multiply. All else is float32, whichever it is.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace heed::engine {

enum class Precision {
  Float32,
  BFloat16,  ///< operands rounded to bfloat16, sums in float32
  Int8,      ///< weights as bytes with a scale for each output, states with a scale for each row; sums in int32
};
constexpr auto option_names(Precision) {
  using Name = std::pair<Precision, std::string_view>;
  return std::array{Name{Precision::Float32, "fp32"}, Name{Precision::BFloat16, "bf16"}, Name{Precision::Int8, "int8"}};
}

}  // namespace heed::engine
