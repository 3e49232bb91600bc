// Scaled dot-product attention (Vaswani et al. 2017, equation 1, https://arxiv.org/abs/1706.03762):
//   Attention(Q, K, V) = softmax(Q K^T / sqrt(d_head)) V
#pragma once

#include "heed_torch/nn/masks.h"
#include "heed_torch/nn/positions/relative_positions.h"

namespace heed::nn {

struct KeysValues {
  Tensor keys;          ///< float [S, heads, key, d_head]
  Tensor values;        ///< float [S, heads, key, d_head]
  Tensor stacked = {};  ///< float [S, key, 2, heads, d_head], if keys and values are views of this tensor; else
                        ///< undefined
};

struct Attended {
  Tensor context;  ///< float [S, query, heads * d_head], heads concatenated; from a module: [S, query, d_model]
  Tensor weights;  ///< float [S, heads, query, key], before dropout; undefined unless want_weights
};

/// Further options of an attention call.
struct AttentionDetails {
  bool scaled = true;                         ///< divide scores by sqrt(d_head)
  double dropout = 0;                         ///< dropout probability of each weight; uses the open RandomScope
  bool want_weights = false;                  ///< return the weights
  RelativePositionsImpl* relative = nullptr;  ///< adds Shaw's relative position terms ...
  Tensor rows = {};                           ///< ... for these rows, see relative_rows
};

/// query: float [S, heads, query, d_head]. A query without any allowed key gets zeros and sends no gradient. bfloat16
/// states on the CPU are read, and a bfloat16 context is written; everything in between is float32.
Attended scaled_dot_product(const Tensor& query, const KeysValues& memory, const AttentionMask& mask,
                            const AttentionDetails& details = {});

}  // namespace heed::nn
