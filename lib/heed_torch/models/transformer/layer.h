// Shared by encoder and decoder layers.
#pragma once

#include <cstdint>
#include <optional>

#include "heed/architecture/transformer_options.h"
#include "heed_torch/nn/attention/attention.h"
#include "heed_torch/nn/feed_forward.h"
#include "heed_torch/nn/norm.h"

namespace heed::models {

using at::Tensor;

/// The attention to a memory: its kind, and the width of the memory's states.
struct CrossAttention {
  nn::AttentionKind kind;
  int64_t d_memory;
};

/// A layer's options: those of its stack, and the sizes of the whole model.
struct TransformerLayerOptions {
  int64_t d_model;           ///< width of the states
  double dropout;            ///< on embeddings and residual branches
  TransformerOptions stack;  ///< the rest
  bool operator==(const TransformerLayerOptions&) const = default;

  nn::AttentionOptions self_attention() const;
  nn::AttentionOptions cross_attention(const CrossAttention& cross) const;
  nn::FeedForwardOptions feed_forward() const;
  /// The norm of one sublayer; kind none with norm order none.
  nn::NormOptions norm() const;
  /// The norm behind the last layer: pre-norm only, else kind none.
  nn::NormOptions final_norm() const;
};

/// A sublayer f within its residual connection: norm(x + dropout(f(x))) for post-norm, x + dropout(f(norm(x))) for
/// pre-norm; without `x +` if the options have no residual. x, f's argument and its result: float [S, n, d_model].
class ResidualConnection {
 public:
  explicit ResidualConnection(const TransformerLayerOptions& options);

  template <class Sublayer>
  Tensor operator()(const Tensor& x, nn::Norm& norm, bool training, Sublayer&& f) const {
    if (pre_norm_) return add(x, f(norm(x)), training);
    return norm(add(x, f(x), training));
  }

 private:
  Tensor add(const Tensor& x, const Tensor& branch, bool training) const;

  double dropout_;
  bool residual_;
  bool pre_norm_;
};

/// The frame of one pass through a stack, but for its mask. positions: int64 [S or 1, query], those of the tokens; the
/// queries are the last `query` of `key` columns.
nn::AttentionFrame make_frame(const TransformerLayerOptions& options, const Tensor& positions, int64_t key,
                              const Tensor& states);

}  // namespace heed::models
