// The options of position encodings. heed_torch/nn/positions/positions.h has the formulas.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "heed/core/options.h"

namespace heed::nn {

struct NoPositions {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoPositions&) const = default;
};
void describe(NoPositions&, AnyOptionVisitor auto&) {}

/// Sinusoidal positions (Vaswani et al. 2017, section 3.5).
struct SinusoidalPositions {
  static constexpr std::string_view kName = "sinusoidal";
  bool operator==(const SinusoidalPositions&) const = default;
};
void describe(SinusoidalPositions&, AnyOptionVisitor auto&) {}

/// A learned vector for each position (Gehring et al. 2017, https://arxiv.org/abs/1705.03122).
struct LearnedPositions {
  static constexpr std::string_view kName = "learned";
  int64_t max_length = 512;  ///< number of positions: the longest sentence in tokens, including eos (or bos)
  bool operator==(const LearnedPositions&) const = default;
};
void describe(LearnedPositions& o, AnyOptionVisitor auto& visit) {
  visit("max-length", o.max_length, "learned positions: the longest sentence in tokens", between(1, 1e9));
}

/// A learned vector for each distance between query and key (Shaw et al. 2018, https://arxiv.org/abs/1803.02155).
struct RelativePositionOptions {
  static constexpr std::string_view kName = "relative";
  int64_t max_distance = 16;  ///< k in the paper: larger distances count as k
  bool operator==(const RelativePositionOptions&) const = default;
};
void describe(RelativePositionOptions& o, AnyOptionVisitor auto& visit) {
  visit("max-distance", o.max_distance, "relative positions: greater distances count as this one", between(1, 1e9));
}

/// Rotary positions (Su et al. 2021, https://arxiv.org/abs/2104.09864): rotate queries and keys by angles proportional
/// to their position.
struct RotaryPositions {
  static constexpr std::string_view kName = "rotary";
  double base = 10000;  ///< the pair of components i rotates by base^(-2i/d_head) radians per position
  bool operator==(const RotaryPositions&) const = default;
};
void describe(RotaryPositions& o, AnyOptionVisitor auto& visit) {
  visit("base", o.base, "rotary positions: base of the wavelengths", at_least(1));
}

using PositionOptions =
    std::variant<NoPositions, SinusoidalPositions, LearnedPositions, RelativePositionOptions, RotaryPositions>;

}  // namespace heed::nn
