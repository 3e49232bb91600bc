// Positional encoding: the position of a token in its sentence. Without it, attention sees a bag of words. Sinusoidal
// and learned positions are vectors that are added to the embeddings (this file). Relative positions
// (heed_torch/nn/positions/relative_positions.h) and rotary positions (heed_torch/nn/positions/rotary.h) are part of
// self-attention.
#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/architecture/position_options.h"
#include "heed_torch/nn/initialization.h"

namespace heed::nn {

/// Vaswani et al. 2017, section 3.5: PE(t, 2i) = sin(t / 10000^(2i/d)), PE(t, 2i+1) = cos(t / 10000^(2i/d)).
/// positions: int64 [...] -> [..., d_model]. d_model: even.
Tensor sinusoidal_positions(const Tensor& positions, int64_t d_model, at::ScalarType dtype);

/// Adds the position vectors to the embeddings. Does nothing for none, relative and rotary.
class PositionsImpl : public torch::nn::Module, public Initialized {
 public:
  PositionsImpl(const PositionOptions& options, int64_t d_model);

  /// For positions 0, 1, ... x: float [S, length, d_model] -> the same shape.
  Tensor forward(const Tensor& x);
  /// For one position of each sentence. x: float [S, beam, d_model]; position: int64 [S] -> float [S, beam, d_model].
  Tensor at_position(const Tensor& x, const Tensor& position);
  void initialize(Initializer& values) override;
  const PositionOptions& options() const { return options_; }

  Tensor weight;  ///< [max_length, d_model] for learned positions, else undefined

 private:
  PositionOptions options_;
};
TORCH_MODULE(Positions);

}  // namespace heed::nn
