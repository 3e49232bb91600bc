#include "heed_torch/nn/positions/relative_positions.h"

#include <ATen/ATen.h>

namespace heed::nn {

Tensor relative_rows(int64_t query, int64_t key, int64_t max_distance, const Tensor& states) {
  const Tensor positions = at::arange(key, states.options().dtype(at::kLong));
  const Tensor distances = positions.unsqueeze(0) - positions.narrow(0, key - query, query).unsqueeze(1);
  return distances.clamp(-max_distance, max_distance).add_(max_distance);
}

RelativePositionsImpl::RelativePositionsImpl(const RelativePositionOptions& options, int64_t d_head) {
  keys = register_parameter("keys", at::empty({2 * options.max_distance + 1, d_head}));
  values = register_parameter("values", at::empty({2 * options.max_distance + 1, d_head}));
}

void RelativePositionsImpl::initialize(Initializer& initial) {
  initial.embedding("keys", keys);
  initial.embedding("values", values);
}

Tensor RelativePositionsImpl::scores(const Tensor& query, const Tensor& rows) {
  const Tensor by_distance = at::matmul(query, keys.t());  // [S, heads, query, 2k + 1]
  return by_distance.gather(-1, rows.expand({query.size(0), query.size(1), -1, -1}));
}

Tensor RelativePositionsImpl::context(const Tensor& weights, const Tensor& rows) {
  const std::vector<int64_t> shape = {weights.size(0), weights.size(1), weights.size(2), values.size(0)};
  const Tensor by_distance = at::zeros(shape, weights.options()).scatter_add(-1, rows.expand_as(weights), weights);
  return at::matmul(by_distance, values);
}

}  // namespace heed::nn
