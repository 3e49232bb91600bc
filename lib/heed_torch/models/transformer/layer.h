// What encoder and decoder layers share.
#pragma once

#include <cstdint>

#include "heed/architecture/transformer_options.h"
#include "heed_torch/nn/attention/attention.h"
#include "heed_torch/nn/feed_forward.h"
#include "heed_torch/nn/norm.h"

namespace heed::models {

using at::Tensor;

/// A sublayer f in its residual connection: norm(x + dropout(f(x))) for post-norm, x + dropout(f(norm(x))) for
/// pre-norm. Without `x +` if the options have no residual. x, f's argument and its result: float [S, n, d_model].
class ResidualConnection {
 public:
  explicit ResidualConnection(const TransformerLayerOptions& options);

  template <class Sublayer>
  Tensor operator()(const Tensor& x, nn::Norm& norm, bool training, Sublayer&& f) const {
    if (!pre_norm_) return norm(add(x, f(x), training));
    const auto [residual, normed] = norm->with_residual(x);
    return add(residual, f(normed), training);
  }

 private:
  Tensor add(const Tensor& x, const Tensor& branch, bool training) const;

  double dropout_;
  bool residual_;
  bool pre_norm_;
};

/// Whether training skips the next layer of a stack: LayerDrop (Fan et al. 2020, https://arxiv.org/abs/1909.11556),
/// also called stochastic depth (Huang et al. 2016, https://arxiv.org/abs/1603.09382). All sentences of the micro-batch
/// have the same layers. Translation uses every layer and scales none. Takes one draw of the open RandomScope if
/// `training` is true and the probability is above 0.
bool skips_layer(const TransformerLayerOptions& options, bool training);

/// The frame of one pass through a stack, without its mask. positions: int64 [S or 1, query], the tokens' positions;
/// the queries are the last `query` of `key` columns.
nn::AttentionFrame make_frame(const TransformerLayerOptions& options, const Tensor& positions, int64_t key,
                              const Tensor& states);

}  // namespace heed::models
