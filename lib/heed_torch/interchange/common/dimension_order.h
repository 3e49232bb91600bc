// The order of the components in a Transformer's states. In heed, sinusoidal positions alternate the sine and the
// cosine of each frequency (Vaswani et al. 2017, section 3.5). In Marian and related toolkits, all sines come before
// all cosines. The order has no other effect. So one permutation of all matrices that read or write states converts a
// model between the two.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace heed::interchange {

class DimensionOrder {
 public:
  /// From halves, [sines, cosines], to pairs: component 2i is component i of the halves, and component 2i + 1 is their
  /// component d_model / 2 + i.
  static DimensionOrder halves_to_pairs(int64_t d_model);
  static DimensionOrder pairs_to_halves(int64_t d_model);
  /// No component moves.
  static DimensionOrder same() { return DimensionOrder(at::Tensor()); }

  /// The tensor with its components along `dimension` in the new order.
  at::Tensor operator()(const at::Tensor& tensor, int64_t dimension) const;

 private:
  explicit DimensionOrder(at::Tensor order) : order_(std::move(order)) {}

  at::Tensor order_;  // int64 [d_model], the old place of each component; undefined: nothing moves
};

}  // namespace heed::interchange
