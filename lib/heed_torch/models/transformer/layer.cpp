#include "heed_torch/models/transformer/layer.h"

#include <ATen/ATen.h>

#include "heed_torch/nn/random/dropout.h"

namespace heed::models {

nn::AttentionOptions TransformerLayerOptions::self_attention() const {
  const auto* relative = std::get_if<nn::RelativePositionOptions>(&stack.positions);
  return {.d_model = d_model,
          .kind = stack.attention,
          .scaled = stack.scale_scores,
          .dropout = stack.attention_dropout,
          .relative = relative ? std::optional(*relative) : std::nullopt};
}

nn::AttentionOptions TransformerLayerOptions::cross_attention(const CrossAttention& cross) const {
  return {.d_model = d_model,
          .kind = cross.kind,
          .scaled = stack.scale_scores,
          .dropout = stack.attention_dropout,
          .relative = std::nullopt,
          .d_memory = cross.d_memory};
}

nn::FeedForwardOptions TransformerLayerOptions::feed_forward() const {
  nn::FeedForwardOptions options = stack.feed_forward;
  options.d_model = d_model;
  return options;
}

nn::NormOptions TransformerLayerOptions::norm() const {
  nn::NormOptions options{.d_model = d_model, .kind = nn::NormKind::None};
  const auto take = [&](const auto& order) {
    options.kind = order.norm;
    options.epsilon = order.epsilon;
  };
  if (const auto* post = std::get_if<PostNorm>(&stack.norm_order)) take(*post);
  if (const auto* pre = std::get_if<PreNorm>(&stack.norm_order)) take(*pre);
  return options;
}

nn::NormOptions TransformerLayerOptions::final_norm() const {
  nn::NormOptions options = norm();
  if (!std::holds_alternative<PreNorm>(stack.norm_order)) options.kind = nn::NormKind::None;
  return options;
}

ResidualConnection::ResidualConnection(const TransformerLayerOptions& options)
    : dropout_(options.dropout),
      residual_(options.stack.residual),
      pre_norm_(std::holds_alternative<PreNorm>(options.stack.norm_order)) {}

Tensor ResidualConnection::add(const Tensor& x, const Tensor& branch, bool training) const {
  return residual_ ? nn::dropout_add(x, branch, dropout_, training) : nn::dropout(branch, dropout_, training);
}

nn::AttentionFrame make_frame(const TransformerLayerOptions& options, const Tensor& positions, int64_t key,
                              const Tensor& states) {
  nn::AttentionFrame frame;
  if (const auto* rotary = std::get_if<nn::RotaryPositions>(&options.stack.positions)) {
    frame.rotation = nn::rotation_at(positions, options.self_attention().d_head(), rotary->base, states.scalar_type());
  }
  if (const auto* relative = std::get_if<nn::RelativePositionOptions>(&options.stack.positions)) {
    frame.relative_rows = nn::relative_rows(positions.size(1), key, relative->max_distance, states);
  }
  return frame;
}

}  // namespace heed::models
