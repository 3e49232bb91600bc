// Positional encoding: where a token stands in its sentence. Attention alone sees a bag of words. Sinusoidal and
// learned positions are vectors added to the embeddings (here); relative positions (nn/attention/relative_positions.h)
// and rotary ones (nn/attention/rotary.h) act inside self-attention.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/core/options.h"
#include "heed/nn/initialization.h"

namespace heed::nn {

struct NoPositions {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoPositions&) const = default;
};
inline void describe(NoPositions&, OptionVisitor&) {}

/// Vaswani et al. 2017, section 3.5: PE(t, 2i) = sin(t / 10000^(2i/d)), PE(t, 2i+1) = cos(t / 10000^(2i/d)).
struct SinusoidalPositions {
  static constexpr std::string_view kName = "sinusoidal";
  bool operator==(const SinusoidalPositions&) const = default;
};
inline void describe(SinusoidalPositions&, OptionVisitor&) {}

/// A learned vector for each position (Gehring et al. 2017, https://arxiv.org/abs/1705.03122).
struct LearnedPositions {
  static constexpr std::string_view kName = "learned";
  int64_t max_length = 512;  ///< positions there are: no sentence may have more tokens, eos (or bos) counted
  bool operator==(const LearnedPositions&) const = default;
};
inline void describe(LearnedPositions& o, OptionVisitor& visit) {
  visit("max-length", o.max_length, "learned positions: the longest sentence in tokens", between(1, 1e9));
}

/// Shaw et al. 2018, https://arxiv.org/abs/1803.02155: a learned vector for each distance between query and key.
struct RelativePositionOptions {
  static constexpr std::string_view kName = "relative";
  int64_t max_distance = 16;  ///< k of the paper: greater distances count as this one
  bool operator==(const RelativePositionOptions&) const = default;
};
inline void describe(RelativePositionOptions& o, OptionVisitor& visit) {
  visit("max-distance", o.max_distance, "relative positions: greater distances count as this one", between(1, 1e9));
}

/// Su et al. 2021, https://arxiv.org/abs/2104.09864: query and key turn by angles proportional to their position.
struct RotaryPositions {
  static constexpr std::string_view kName = "rotary";
  double base = 10000;  ///< the pair of components i turns by base^(-2i/d_head) radians a position
  bool operator==(const RotaryPositions&) const = default;
};
inline void describe(RotaryPositions& o, OptionVisitor& visit) {
  visit("base", o.base, "rotary positions: base of the wavelengths", at_least(1));
}

using PositionOptions =
    std::variant<NoPositions, SinusoidalPositions, LearnedPositions, RelativePositionOptions, RotaryPositions>;

/// positions: int64 [...] -> [..., d_model] of the paper's sines and cosines. d_model: even.
Tensor sinusoidal_positions(const Tensor& positions, int64_t d_model, at::ScalarType dtype);

/// Adds to the embeddings what the options say; nothing for none, relative and rotary.
class PositionsImpl : public torch::nn::Module, public Initialized {
 public:
  PositionsImpl(const PositionOptions& options, int64_t d_model);

  /// Positions 0, 1, ... x: float [S, length, d_model] -> the same.
  Tensor forward(const Tensor& x);
  /// One position of each sentence. x: float [S, beam, d_model]; position: int64 [S] -> float [S, beam, d_model].
  Tensor at_position(const Tensor& x, const Tensor& position);
  void initialize(Initializer& values) override;
  /// The longest sentence there are positions for, if there is a limit.
  std::optional<int64_t> max_length() const;
  const PositionOptions& options() const { return options_; }

  Tensor weight;  ///< [max_length, d_model] for learned positions, else undefined

 private:
  PositionOptions options_;
};
TORCH_MODULE(Positions);

}  // namespace heed::nn
