// The order of the components of a Transformer's states. Sinusoidal positions have the sine and the cosine of a
// frequency side by side in heed (Vaswani et al. 2017, section 3.5), but all sines before all cosines in Marian and its
// kin. The order of the width means nothing else: one permutation of all matrices that read or write states turns a
// model for the one into the same model for the other.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace heed::interchange {

class WidthOrder {
 public:
  /// From halves, [sines, cosines], to pairs: component 2i is the halves' i, 2i + 1 is their d_model / 2 + i.
  static WidthOrder halves_to_pairs(int64_t d_model);
  static WidthOrder pairs_to_halves(int64_t d_model);
  /// Every component stays where it is.
  static WidthOrder same() { return WidthOrder(at::Tensor()); }

  /// The tensor with its components along `dimension` in the new order.
  at::Tensor operator()(const at::Tensor& tensor, int64_t dimension) const;

 private:
  explicit WidthOrder(at::Tensor order) : order_(std::move(order)) {}

  at::Tensor order_;  // int64 [d_model], of each component where it was; undefined: nothing moves
};

}  // namespace heed::interchange
