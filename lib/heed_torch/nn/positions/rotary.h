// Rotary positions (Su et al. 2021, https://arxiv.org/abs/2104.09864, section 3.2): components i and i + d_head/2 of a
// query or key at position t are one point of the plane and turn by the angle t * base^(-2i/d_head), so that the dot
// product of a query and a key depends on their distance only. (The paper pairs neighbors 2i and 2i + 1: the same up to
// a fixed permutation of the components; halves need no shuffling.)
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// The turns for some positions; made once for a pass over the layers. Undefined members: no rotation.
struct Rotation {
  Tensor cosine;  ///< float [S or 1, length, 1, d_head / 2]
  Tensor sine;    ///< float [S or 1, length, 1, d_head / 2]

  bool defined() const { return cosine.defined(); }
};

/// positions: int64 [S or 1, length]; d_head: even.
Rotation rotation_at(const Tensor& positions, int64_t d_head, double base, at::ScalarType dtype);

/// x: float [S, length, heads, d_head] -> the same, each position turned.
Tensor rotate(const Tensor& x, const Rotation& rotation);

}  // namespace heed::nn
