#include "heed/interchange/layer_parts.h"

#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace heed::interchange {
namespace {

/// A part of one layer.
struct PartNames {
  std::string_view heed;
  std::vector<std::string_view> marian;
  PartKind kind;
  bool reads_states, writes_states;
};

PartNames map_from_states(std::string_view heed, std::vector<std::string_view> marian) {
  return {heed, std::move(marian), PartKind::Map, true, false};
}
PartNames map_to_states(std::string_view heed, std::string_view marian) {
  return {heed, {marian}, PartKind::Map, false, true};
}
PartNames norm(std::string_view heed, std::string_view marian) { return {heed, {marian}, PartKind::Norm, false, true}; }

const auto& self_attention() {
  static const std::array kParts{
      map_from_states("self_attention.query_key_value", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}),
      map_to_states("self_attention.output", "self_attn.out_proj"),
      norm("self_attention_norm", "self_attn_layer_norm"),
  };
  return kParts;
}
const auto& cross_attention() {
  static const std::array kParts{
      map_from_states("cross_attention.query", {"encoder_attn.q_proj"}),
      map_from_states("cross_attention.key_value", {"encoder_attn.k_proj", "encoder_attn.v_proj"}),
      map_to_states("cross_attention.output", "encoder_attn.out_proj"),
      norm("cross_attention_norm", "encoder_attn_layer_norm"),
  };
  return kParts;
}
const auto& feed_forward() {
  static const std::array kParts{
      map_from_states("feed_forward.hidden", {"fc1"}),
      map_to_states("feed_forward.output", "fc2"),
      norm("feed_forward_norm", "final_layer_norm"),
  };
  return kParts;
}

void add(std::vector<LayerPart>& parts, std::string_view coder, int64_t layer, std::span<const PartNames> names) {
  for (const PartNames& part : names) {
    LayerPart& added = parts.emplace_back(LayerPart{.heed = fmt::format("{}.layers.{}.{}", coder, layer, part.heed),
                                                    .marian = {},
                                                    .kind = part.kind,
                                                    .reads_states = part.reads_states,
                                                    .writes_states = part.writes_states});
    for (const std::string_view marian : part.marian) {
      added.marian.push_back(fmt::format("model.{}.layers.{}.{}", coder, layer, marian));
    }
  }
}

}  // namespace

std::vector<LayerPart> encoder_parts(const models::TransformerOptions& stack) {
  std::vector<LayerPart> parts;
  for (int64_t layer = 0; layer < stack.layers; ++layer) {
    add(parts, "encoder", layer, self_attention());
    add(parts, "encoder", layer, feed_forward());
  }
  return parts;
}

std::vector<LayerPart> decoder_parts(const models::TransformerOptions& stack) {
  std::vector<LayerPart> parts;
  for (int64_t layer = 0; layer < stack.layers; ++layer) {
    add(parts, "decoder", layer, self_attention());
    add(parts, "decoder", layer, cross_attention());
    add(parts, "decoder", layer, feed_forward());
  }
  return parts;
}

at::Tensor reordered(const LayerPart& part, const at::Tensor& tensor, const WidthOrder& order) {
  at::Tensor result = tensor;
  if (part.reads_states && tensor.dim() == 2) result = order(result, 1);
  if (part.writes_states) result = order(result, 0);
  return result;
}

}  // namespace heed::interchange
