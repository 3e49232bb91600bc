// The precision of the engine's matrix multiplications. All other computations are in float32.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace heed::engine {

enum class Precision {
  Float32,
  BFloat16,  ///< operands rounded to bfloat16, sums in float32
  Int8,      ///< weights in int8 with a scale per output, states in int8 with a scale per row; sums in int32
};

/// The precision that a user selects.
enum class PrecisionChoice {
  Float32,
  BFloat16,
  Int8,
  Auto,  ///< the narrowest that this processor has instructions for
};
constexpr auto option_names(PrecisionChoice) {
  using Name = std::pair<PrecisionChoice, std::string_view>;
  return std::array{Name{PrecisionChoice::Float32, "fp32"}, Name{PrecisionChoice::BFloat16, "bf16"},
                    Name{PrecisionChoice::Int8, "int8"}, Name{PrecisionChoice::Auto, "auto"}};
}
Precision precision_of(PrecisionChoice choice);

}  // namespace heed::engine
