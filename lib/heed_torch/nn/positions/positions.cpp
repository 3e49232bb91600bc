#include "heed_torch/nn/positions/positions.h"

#include <cmath>

#include <ATen/ATen.h>

namespace heed::nn {

Tensor sinusoidal_positions(const Tensor& positions, int64_t d_model, at::ScalarType dtype) {
  TORCH_CHECK(d_model % 2 == 0, "`d_model` must be even for sinusoidal positions, found ", d_model);
  const auto wide = positions.options().dtype(at::kDouble);
  const Tensor frequencies = at::arange(0, d_model, 2, wide).mul_(-std::log(10000.0) / double(d_model)).exp_();
  const Tensor angles = positions.to(at::kDouble).unsqueeze(-1) * frequencies;  // [..., d_model / 2]
  return at::stack({angles.sin(), angles.cos()}, -1).flatten(-2).to(dtype);
}

PositionsImpl::PositionsImpl(const PositionOptions& options, int64_t d_model) : options_(options) {
  if (const auto* learned = std::get_if<LearnedPositions>(&options_)) {
    weight = register_parameter("weight", at::empty({learned->max_length, d_model}));
  }
}

void PositionsImpl::initialize(Initializer& values) {
  if (weight.defined()) values.embedding("weight", weight);
}

Tensor PositionsImpl::forward(const Tensor& x) {
  const int64_t length = x.size(1);
  if (weight.defined()) {
    TORCH_CHECK(length <= weight.size(0), "a sentence of ", length, " tokens is longer than the ", weight.size(0),
                " learned positions");
    return x + weight.narrow(0, 0, length);
  }
  if (!std::holds_alternative<SinusoidalPositions>(options_)) return x;
  const Tensor positions = at::arange(length, x.options().dtype(at::kLong));
  return x + sinusoidal_positions(positions, x.size(2), x.scalar_type());
}

Tensor PositionsImpl::at_position(const Tensor& x, const Tensor& position) {
  if (weight.defined()) return x + at::embedding(weight, position).unsqueeze(1);
  if (!std::holds_alternative<SinusoidalPositions>(options_)) return x;
  return x + sinusoidal_positions(position, x.size(2), x.scalar_type()).unsqueeze(1);
}

}  // namespace heed::nn
