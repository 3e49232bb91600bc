#include "heed_torch/models/transformer/layer.h"

#include <ATen/ATen.h>

#include "heed/core/random.h"
#include "heed_torch/nn/random/dropout.h"
#include "heed_torch/nn/random/random_scope.h"

namespace heed::models {

ResidualConnection::ResidualConnection(const TransformerLayerOptions& options)
    : dropout_(options.dropout),
      residual_(options.stack.residual),
      pre_norm_(std::holds_alternative<PreNorm>(options.stack.norm_order)) {}

Tensor ResidualConnection::add(const Tensor& x, const Tensor& branch, bool training) const {
  return residual_ ? nn::dropout_add(x, branch, dropout_, training) : nn::dropout(branch, dropout_, training);
}

bool skips_layer(const TransformerLayerOptions& options, bool training) {
  const double probability = options.stack.layer_dropout;
  return training && probability > 0 && RandomStream(nn::next_draw_key()).uniform() < probability;
}

nn::AttentionFrame make_frame(const TransformerLayerOptions& options, const Tensor& positions, int64_t key,
                              const Tensor& states) {
  nn::AttentionFrame frame;
  if (const auto* rotary = std::get_if<nn::RotaryPositions>(&options.stack.positions)) {
    const at::ScalarType type = states.scalar_type() == at::kBFloat16 ? at::kFloat : states.scalar_type();
    frame.rotation = nn::rotation_at(positions, options.self_attention().d_head(), rotary->base, type);
  }
  if (const auto* relative = std::get_if<nn::RelativePositionOptions>(&options.stack.positions)) {
    frame.relative_rows = nn::relative_rows(positions.size(1), key, relative->max_distance, states);
  }
  return frame;
}

}  // namespace heed::models
