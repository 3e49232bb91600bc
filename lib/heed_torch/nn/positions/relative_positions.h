// Relative positions (Shaw et al. 2018, https://arxiv.org/abs/1803.02155, equations 3 and 4). The distance r(i, j) = j
// - i is clipped to [-k, k]. Each distance has learned vectors a^K and a^V, which the heads of a layer share:
//   score(i, j) = q_i . (k_j + a^K_r(i,j)) / sqrt(d_head)        context_i = sum_j weight(i, j) (v_j + a^V_r(i,j))
// Neither sum is computed for each pair: q_i . a^K is one matrix multiplication over the 2k + 1 distances, and each
// pair reads its distance's result.
#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/nn/initialization.h"
#include "heed_torch/nn/positions/positions.h"

namespace heed::nn {

/// The row of a^K and a^V for each pair: int64 [query, key], on the device of `states`. The queries are the last
/// `query` of `key` positions.
Tensor relative_rows(int64_t query, int64_t key, int64_t max_distance, const Tensor& states);

class RelativePositionsImpl : public torch::nn::Module, public Initialized {
 public:
  RelativePositionsImpl(const RelativePositionOptions& options, int64_t d_head);

  /// q_i . a^K. query: float [S, heads, query, d_head]; rows: from relative_rows -> float [S, heads, query, key].
  Tensor scores(const Tensor& query, const Tensor& rows);
  /// sum_j weight(i, j) a^V. weights: float [S, heads, query, key] -> float [S, heads, query, d_head].
  Tensor context(const Tensor& weights, const Tensor& rows);
  void initialize(Initializer& values) override;

  Tensor keys;    ///< a^K [2 max_distance + 1, d_head]
  Tensor values;  ///< a^V [2 max_distance + 1, d_head]
};
TORCH_MODULE(RelativePositions);

}  // namespace heed::nn
