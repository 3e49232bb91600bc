// Which normalization: the options of heed_torch/nn/norm.h, which has the formulas.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace heed::nn {

enum class NormKind { Layer, Rms, None };
/// None has no name: a user who wants no norm says so where the norms' places are chosen.
constexpr auto option_names(NormKind) {
  using Name = std::pair<NormKind, std::string_view>;
  return std::array{Name{NormKind::Layer, "layer"}, Name{NormKind::Rms, "rms"}};
}

struct NormOptions {
  int64_t d_model;                  ///< width of the vectors
  NormKind kind = NormKind::Layer;  ///< the formula
  double epsilon = 1e-6;            ///< added below the root; positive
  bool operator==(const NormOptions&) const = default;
};

}  // namespace heed::nn
