#include "heed_torch/nn/attention/scaled_dot_product.h"

#include <cmath>

#include <ATen/ATen.h>

#include "heed_torch/nn/random/dropout.h"

namespace heed::nn {
namespace {

/// [S, heads, length, d_head] -> [S * heads, length, d_head], as batched matrix multiplications need it.
Tensor merged(const Tensor& x) { return x.reshape({x.size(0) * x.size(1), x.size(2), x.size(3)}); }

/// [S, heads, query, d_head] -> [S, query, heads * d_head].
Tensor side_by_side(const Tensor& context) { return context.transpose(1, 2).flatten(2); }

/// [S or 1, heads or 1, query or 1, key] -> [S * heads, query, key], not materialized along the queries.
Tensor merged_bias(const Tensor& bias, const Tensor& query) {
  const int64_t rows = query.size(0) * query.size(1);
  return bias.expand({query.size(0), query.size(1), -1, -1})
      .reshape({rows, bias.size(2), bias.size(3)})
      .expand({rows, query.size(2), -1});
}

/// The factor on the scores.
double scale_of(const Tensor& query, const AttentionDetails& details) {
  return details.scaled ? 1 / std::sqrt(static_cast<double>(query.size(3))) : 1;
}

/// softmax(Q K^T / sqrt(d_head)), [S * heads, query, key].
Tensor attention_weights(const Tensor& query, const Tensor& keys, const AttentionMask& mask,
                         const AttentionDetails& details) {
  const double scale = scale_of(query, details);
  Tensor bias = mask.bias;
  if (details.relative) {
    const Tensor scores = details.relative->scores(query, details.rows).mul_(scale);
    bias = bias.defined() ? scores + bias : scores;
  }
  const Tensor transposed = merged(keys).transpose(1, 2);
  const Tensor scores =
      bias.defined() ? at::baddbmm(merged_bias(bias, query), merged(query), transposed, /*beta=*/1, /*alpha=*/scale)
                     : at::bmm(merged(query), transposed).mul_(scale);
  return at::softmax(scores, -1);
}

Attended explicit_attention(const Tensor& query, const KeysValues& memory, const AttentionMask& mask,
                            const AttentionDetails& details) {
  const Tensor weights = attention_weights(query, memory.keys, mask, details);
  const Tensor kept = nn::dropout(weights, details.dropout, details.dropout > 0);
  const std::vector<int64_t> shape = {query.size(0), query.size(1), query.size(2), -1};
  Tensor context = at::bmm(kept, merged(memory.values)).view(shape);
  if (details.relative) context = context + details.relative->context(kept.view(shape), details.rows);
  if (mask.blind.defined()) context.masked_fill_(mask.blind, 0);
  Attended attended{.context = side_by_side(context), .weights = {}};
  if (details.want_weights) {
    attended.weights = weights.view(shape);
    if (mask.blind.defined()) attended.weights = attended.weights.masked_fill(mask.blind, 0);
  }
  return attended;
}

}  // namespace

Attended scaled_dot_product(const Tensor& query, const KeysValues& memory, const AttentionMask& mask,
                            const AttentionDetails& details) {
  TORCH_CHECK(query.dim() == 4 && memory.keys.dim() == 4, "queries and keys must be [S, heads, length, d_head], found ",
              query.sizes(), " and ", memory.keys.sizes());
  if (query.is_cpu() && query.scalar_type() == at::kBFloat16) {
    Attended attended =
        scaled_dot_product(query.to(at::kFloat),
                           {.keys = memory.keys.to(at::kFloat), .values = memory.values.to(at::kFloat)}, mask, details);
    attended.context = attended.context.to(at::kBFloat16);
    return attended;
  }
  // LibTorch's fused attention supports no dropout on the CPU and returns no weights.
  if (details.dropout > 0 || details.want_weights || details.relative) {
    return explicit_attention(query, memory, mask, details);
  }
  const auto allowed = mask.allowed.defined() ? std::optional(mask.allowed) : std::nullopt;
  const Tensor context = at::scaled_dot_product_attention(query, memory.keys, memory.values, allowed, /*dropout_p=*/0,
                                                          /*is_causal=*/false, scale_of(query, details));
  return {.context = side_by_side(context), .weights = {}};
}

}  // namespace heed::nn
