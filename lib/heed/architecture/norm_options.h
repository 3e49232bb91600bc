// The options of normalization. heed_torch/nn/norm.h has the formulas.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace heed::nn {

enum class NormKind { Layer, Rms, None };
/// None has no name, because users turn norms off with the option for the position of the norms.
constexpr auto option_names(NormKind) {
  using Name = std::pair<NormKind, std::string_view>;
  return std::array{Name{NormKind::Layer, "layer"}, Name{NormKind::Rms, "rms"}};
}

struct NormOptions {
  int64_t d_model;                  ///< width of the vectors
  NormKind kind = NormKind::Layer;  ///< which formula
  double epsilon = 1e-6;            ///< added under the square root; positive
  bool operator==(const NormOptions&) const = default;
};

}  // namespace heed::nn
