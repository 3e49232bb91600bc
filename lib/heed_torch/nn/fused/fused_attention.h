// Scaled dot-product attention in one pass on the CPU, with dropout and rotary positions, from the projected states as
// the maps leave them and to gradients of the same form, so that nothing is copied between; see
// heed/kernels/attention_kernel.h. The same function as heed_torch/nn/attention/scaled_dot_product.h, with other
// dropout masks.
#pragma once

#include "heed_torch/nn/masks.h"
#include "heed_torch/nn/positions/rotary.h"

namespace heed::nn {

/// Projected states of one call. Float32 on the CPU.
struct StackedStates {
  Tensor
      queries;  ///< [S, query, 3, heads, d_head]: queries, keys and values; with `memory` [S, query, 1, heads, d_head]
  Tensor memory;  ///< [S, key, 2, heads, d_head]: keys and values; undefined: those of `queries`
};

struct FusedAttentionDetails {
  double scale = 1;        ///< of the scores
  double dropout = 0;      ///< probability for each weight; draws from the open RandomScope
  Rotation rotation = {};  ///< of queries and keys, without a memory only; undefined: none
};

/// Whether it takes such states: float32 on the CPU, of a d_head that fills vectors, and not too long.
bool suits_fused_attention(const StackedStates& states);

/// -> float [S, query, heads * d_head]. Queries of a sentence that the mask calls blind get zeros and send no gradient;
/// those of another must be allowed one key at least. Only first derivatives.
Tensor fused_attention(const StackedStates& states, const AttentionMask& mask, const FusedAttentionDetails& details);

}  // namespace heed::nn
