#include "heed_torch/interchange/common/layer_parameters.h"

#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace heed::interchange {
namespace {

/// A part of one layer.
struct PartNames {
  std::string_view heed;
  std::vector<std::string_view> marian, ctranslate2;
  PartKind kind;
  bool reads_states, writes_states;
};
using Names = std::vector<PartNames>;

PartNames map_from_states(std::string_view heed, std::vector<std::string_view> marian,
                          std::vector<std::string_view> ctranslate2) {
  return {heed, std::move(marian), std::move(ctranslate2), PartKind::Map, true, false};
}
PartNames map_to_states(std::string_view heed, std::string_view marian, std::string_view ctranslate2) {
  return {heed, {marian}, {ctranslate2}, PartKind::Map, false, true};
}
PartNames norm(std::string_view heed, std::string_view marian, std::string_view ctranslate2) {
  return {heed, {marian}, {ctranslate2}, PartKind::Norm, false, true};
}

Names self_attention(const models::TransformerOptions& stack) {
  Names parts{
      map_from_states("self_attention.query_key_value", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"},
                      {"self_attention/linear_0"}),
      map_to_states("self_attention.output", "self_attn.out_proj", "self_attention/linear_1"),
      norm("self_attention_norm", "self_attn_layer_norm", "self_attention/layer_norm"),
  };
  if (std::holds_alternative<nn::RelativePositionOptions>(stack.positions)) {
    parts.push_back(
        {"self_attention.relative", {}, {"self_attention/relative_position"}, PartKind::Relative, false, false});
  }
  return parts;
}

Names cross_attention() {
  return {
      map_from_states("cross_attention.query", {"encoder_attn.q_proj"}, {"attention/linear_0"}),
      map_from_states("cross_attention.key_value", {"encoder_attn.k_proj", "encoder_attn.v_proj"},
                      {"attention/linear_1"}),
      map_to_states("cross_attention.output", "encoder_attn.out_proj", "attention/linear_2"),
      norm("cross_attention_norm", "encoder_attn_layer_norm", "attention/layer_norm"),
  };
}

Names feed_forward(const models::TransformerOptions& stack) {
  std::vector<std::string_view> hidden{"ffn/linear_0"};
  if (stack.feed_forward.gated) hidden.emplace_back("ffn/linear_0_noact");
  return {
      map_from_states("feed_forward.hidden", {"fc1"}, hidden),
      map_to_states("feed_forward.output", "fc2", "ffn/linear_1"),
      norm("feed_forward_norm", "final_layer_norm", "ffn/layer_norm"),
  };
}

void add(std::vector<LayerParameter>& parts, std::string_view coder, int64_t layer, const Names& names) {
  for (const PartNames& part : names) {
    LayerParameter& added =
        parts.emplace_back(LayerParameter{.heed = fmt::format("{}.layers.{}.{}", coder, layer, part.heed),
                                          .marian = {},
                                          .ctranslate2 = {},
                                          .kind = part.kind,
                                          .reads_states = part.reads_states,
                                          .writes_states = part.writes_states});
    for (const std::string_view name : part.marian) {
      added.marian.push_back(fmt::format("model.{}.layers.{}.{}", coder, layer, name));
    }
    for (const std::string_view name : part.ctranslate2) {
      added.ctranslate2.push_back(fmt::format("{}/layer_{}/{}", coder, layer, name));
    }
  }
}

/// Adds the norm after the last layer, for layers with pre-norm. MarianMT has none.
void add_final_norm(std::vector<LayerParameter>& parts, const std::string& coder,
                    const models::TransformerOptions& stack) {
  if (!std::holds_alternative<models::PreNorm>(stack.norm_order)) return;
  parts.push_back({.heed = coder + ".norm",
                   .marian = {},
                   .ctranslate2 = {coder + "/layer_norm"},
                   .kind = PartKind::Norm,
                   .reads_states = false,
                   .writes_states = true});
}

}  // namespace

std::vector<LayerParameter> encoder_parts(const models::TransformerOptions& stack) {
  std::vector<LayerParameter> parts;
  for (int64_t layer = 0; layer < stack.layers; ++layer) {
    add(parts, "encoder", layer, self_attention(stack));
    add(parts, "encoder", layer, feed_forward(stack));
  }
  add_final_norm(parts, "encoder", stack);
  return parts;
}

std::vector<LayerParameter> decoder_parts(const models::TransformerOptions& stack) {
  std::vector<LayerParameter> parts;
  for (int64_t layer = 0; layer < stack.layers; ++layer) {
    add(parts, "decoder", layer, self_attention(stack));
    add(parts, "decoder", layer, cross_attention());
    add(parts, "decoder", layer, feed_forward(stack));
  }
  add_final_norm(parts, "decoder", stack);
  return parts;
}

at::Tensor reordered(const LayerParameter& part, const at::Tensor& tensor, const DimensionOrder& order) {
  at::Tensor result = tensor;
  if (part.reads_states && tensor.dim() == 2) result = order(result, 1);
  if (part.writes_states) result = order(result, 0);
  return result;
}

}  // namespace heed::interchange
