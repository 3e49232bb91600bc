// Rotary positions (Su et al. 2021, https://arxiv.org/abs/2104.09864, section 3.2). Components i and i + d_head/2 of a
// query or key at position t form a point in the plane. It is rotated by the angle t * base^(-2i/d_head). So the dot
// product of a query and a key depends only on their distance. (The paper pairs the neighbors 2i and 2i + 1. That is
// the same except for a fixed permutation of the components, and pairing halves needs no shuffling.)
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// The rotations for some positions, computed once per forward pass. Undefined members: no rotation.
struct Rotation {
  Tensor cosine;  ///< float [S or 1, length, 1, d_head / 2]
  Tensor sine;    ///< float [S or 1, length, 1, d_head / 2]

  bool defined() const { return cosine.defined(); }
};

/// positions: int64 [S or 1, length]; d_head: even.
Rotation rotation_at(const Tensor& positions, int64_t d_head, double base, at::ScalarType dtype);

/// Rotates each position. x: float [S, length, heads, d_head] -> the same shape.
Tensor rotate(const Tensor& x, const Rotation& rotation);

}  // namespace heed::nn
