// The two reductions of a step's logits that search needs: their logsumexp and the best tokens of each row. Neither
// creates a normalized [S, beam, V] tensor.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace heed::search {

using at::Tensor;

/// log sum exp over the last dimension, which is kept with size 1. logits: float [..., V] -> [..., 1].
Tensor logsumexp(const Tensor& logits);

/// The best tokens of each row of logits, best first.
struct RowBest {
  Tensor logits;  ///< float [rows, count]; -inf if a row has fewer allowed tokens
  Tensor tokens;  ///< int64 [rows, count]
};

/// logits: float [rows, V]; count at most V. On the CPU, for count up to 128, equal logits are in the order of their
/// tokens; otherwise their order is torch.topk's.
RowBest best_of_rows(const Tensor& logits, int64_t count);

}  // namespace heed::search
