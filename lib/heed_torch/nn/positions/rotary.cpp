#include "heed_torch/nn/positions/rotary.h"

#include <cmath>

#include <ATen/ATen.h>

namespace heed::nn {

Rotation rotation_at(const Tensor& positions, int64_t d_head, double base, at::ScalarType dtype) {
  TORCH_CHECK(d_head % 2 == 0, "`d_head` must be even for rotary positions, found ", d_head);
  const auto wide = positions.options().dtype(at::kDouble);
  const Tensor frequencies = at::arange(0, d_head, 2, wide).mul_(-std::log(base) / double(d_head)).exp_();
  const Tensor places = positions.to(at::kDouble).unsqueeze(-1).unsqueeze(-1);
  const Tensor angles = places * frequencies;  // [S, length, 1, d_head / 2]
  return {.cosine = angles.cos().to(dtype), .sine = angles.sin().to(dtype)};
}

Tensor rotate(const Tensor& x, const Rotation& rotation) {
  const auto halves = x.chunk(2, -1);
  return at::cat({halves[0] * rotation.cosine - halves[1] * rotation.sine,
                  halves[1] * rotation.cosine + halves[0] * rotation.sine},
                 -1)
      .to(x.scalar_type());
}

}  // namespace heed::nn
