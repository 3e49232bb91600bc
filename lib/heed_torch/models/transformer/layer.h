// What encoder and decoder layers share.
#pragma once

#include <cstdint>
#include <optional>

#include "heed/architecture/transformer_options.h"
#include "heed_torch/nn/attention/attention.h"
#include "heed_torch/nn/feed_forward.h"
#include "heed_torch/nn/norm.h"

namespace heed::models {

using at::Tensor;

/// The attention to the encoder output: its kind, and the width of the encoder's states.
struct CrossAttention {
  nn::AttentionKind kind;
  int64_t d_memory;
};

/// The options of a layer: those of its stack, and the sizes of the whole model.
struct TransformerLayerOptions {
  int64_t d_model;           ///< width of the states
  double dropout;            ///< on embeddings and residual branches
  TransformerOptions stack;  ///< the other options
  bool operator==(const TransformerLayerOptions&) const = default;

  nn::AttentionOptions self_attention() const;
  nn::AttentionOptions cross_attention(const CrossAttention& cross) const;
  nn::FeedForwardOptions feed_forward() const;
  /// The norm of one sublayer. Its kind is none if the norm order is none.
  nn::NormOptions norm() const;
  /// The norm after the last layer. Its kind is none unless the norm order is pre-norm.
  nn::NormOptions final_norm() const;
};

/// A sublayer f in its residual connection: norm(x + dropout(f(x))) for post-norm, x + dropout(f(norm(x))) for
/// pre-norm. Without `x +` if the options have no residual. x, f's argument and its result: float [S, n, d_model].
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

/// The frame of one pass through a stack, without its mask. positions: int64 [S or 1, query], the tokens' positions;
/// the queries are the last `query` of `key` columns.
nn::AttentionFrame make_frame(const TransformerLayerOptions& options, const Tensor& positions, int64_t key,
                              const Tensor& states);

}  // namespace heed::models
