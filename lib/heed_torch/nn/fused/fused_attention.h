// Scaled dot-product attention in one pass on the CPU, with dropout and rotary positions. It reads the projections'
// output and returns gradients in the same layout, so that nothing is copied in between; see
// heed/kernels/attention_kernel.h. The function is that of heed_torch/nn/attention/scaled_dot_product.h, with other
// dropout masks.
#pragma once

#include "heed_torch/nn/masks.h"
#include "heed_torch/nn/positions/rotary.h"

namespace heed::nn {

/// Projected states of one call, float32 or bfloat16 on the CPU.
struct StackedStates {
  Tensor
      queries;  ///< [S, query, 3, heads, d_head]: queries, keys and values; with `memory` [S, query, 1, heads, d_head]
  Tensor memory;  ///< [S, key, 2, heads, d_head]: keys and values; undefined: those in `queries`
};

struct FusedAttentionDetails {
  double scale = 1;        ///< factor on the scores
  double dropout = 0;      ///< dropout probability of each weight; uses the open RandomScope
  Rotation rotation = {};  ///< rotation of queries and keys, only without `memory`; undefined: no rotation
};

/// Whether fused_attention accepts these states: float32 or bfloat16 on the CPU, a d_head that fills vectors, and not
/// too long.
bool suits_fused_attention(const StackedStates& states);

/// Returns float [S, query, heads * d_head], of the type of the states. The mask's bias and the rotation are float32.
/// If the mask marks a sentence as blind, its queries get zeros and send no gradient. In other sentences each query
/// must have at least one allowed key. Second derivatives are not supported.
Tensor fused_attention(const StackedStates& states, const AttentionMask& mask, const FusedAttentionDetails& details);

}  // namespace heed::nn
