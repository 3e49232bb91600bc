#include "heed_torch/interchange/common/dimension_order.h"

#include <ATen/ATen.h>

namespace heed::interchange {

DimensionOrder DimensionOrder::halves_to_pairs(int64_t d_model) {
  return DimensionOrder(at::arange(d_model, at::kLong).view({2, d_model / 2}).t().flatten());
}

DimensionOrder DimensionOrder::pairs_to_halves(int64_t d_model) {
  return DimensionOrder(at::arange(d_model, at::kLong).view({d_model / 2, 2}).t().flatten());
}

at::Tensor DimensionOrder::operator()(const at::Tensor& tensor, int64_t dimension) const {
  return order_.defined() ? tensor.index_select(dimension, order_) : tensor;
}

}  // namespace heed::interchange
