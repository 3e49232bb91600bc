#include "heed_torch/interchange/common/width_order.h"

#include <ATen/ATen.h>

namespace heed::interchange {

WidthOrder WidthOrder::halves_to_pairs(int64_t d_model) {
  return WidthOrder(at::arange(d_model, at::kLong).view({2, d_model / 2}).t().flatten());
}

WidthOrder WidthOrder::pairs_to_halves(int64_t d_model) {
  return WidthOrder(at::arange(d_model, at::kLong).view({d_model / 2, 2}).t().flatten());
}

at::Tensor WidthOrder::operator()(const at::Tensor& tensor, int64_t dimension) const {
  return order_.defined() ? tensor.index_select(dimension, order_) : tensor;
}

}  // namespace heed::interchange
