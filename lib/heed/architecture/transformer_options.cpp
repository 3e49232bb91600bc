#include "heed/architecture/transformer_options.h"

#include <fmt/format.h>

#include "heed/architecture/parameter_list.h"
#include "heed/core/error.h"

namespace heed::models {
namespace {

std::optional<int64_t> learned_positions(const TransformerOptions& stack) {
  const auto* learned = std::get_if<nn::LearnedPositions>(&stack.positions);
  return learned ? std::optional(learned->max_length) : std::nullopt;
}

void list_head_norms(const nn::AttentionOptions& o, const ParameterList& list) {
  list.norm("query_norm", o.head_norm());
  list.norm("key_norm", o.head_norm());
}

void list_self_attention(const nn::AttentionOptions& o, const ParameterList& list) {
  const int64_t d = o.d_model;
  if (o.projects()) list.linear("query_key_value", d, 3 * d, o.bias());
  list_head_norms(o, list);
  if (o.combines()) list.linear("output", d, d, o.bias());
  if (!o.relative) return;
  for (const char* name : {"relative.keys", "relative.values"}) {
    list.tensor(name, {2 * o.relative->max_distance + 1, o.d_head()});
  }
}

void list_cross_attention(const nn::AttentionOptions& o, const ParameterList& list) {
  const int64_t d = o.d_model;
  if (o.projects()) {
    list.linear("query", d, d, o.bias());
    list.linear("key_value", o.d_memory, 2 * d, o.bias());
  }
  list_head_norms(o, list);
  if (o.combines()) list.linear("output", d, d, o.bias());
}

void list_feed_forward(const nn::FeedForwardOptions& o, const ParameterList& list) {
  list.linear("hidden", o.d_model, o.gated ? 2 * o.d_hidden : o.d_hidden, o.bias);
  list.linear("output", o.d_hidden, o.d_model, o.bias);
}

/// cross: absent in an encoder and in a language model.
void list_layers(const TransformerLayerOptions& layer, const std::optional<nn::AttentionOptions>& cross,
                 const ParameterList& list) {
  if (const auto positions = learned_positions(layer.stack)) {
    list.tensor("positions.weight", {*positions, layer.d_model});
  }
  for (int64_t i = 0; i < layer.stack.layers; ++i) {
    const ParameterList of_layer = list.layer(i);
    list_self_attention(layer.self_attention(), of_layer.module("self_attention"));
    of_layer.norm("self_attention_norm", layer.norm());
    if (cross) {
      list_cross_attention(*cross, of_layer.module("cross_attention"));
      of_layer.norm("cross_attention_norm", layer.norm());
    }
    list_feed_forward(layer.feed_forward(), of_layer.module("feed_forward"));
    of_layer.norm("feed_forward_norm", layer.norm());
  }
  list.norm("norm", layer.final_norm());
}

void validate_norm(const NormOrder& order, const std::string& section) {
  const auto refuse_none = [&](nn::NormKind kind) {
    if (kind != nn::NormKind::None) return;
    throw ConfigError(section + ".norm", "must be layer or rms here; for no norm, set norm-order to none");
  };
  if (const auto* post = std::get_if<PostNorm>(&order)) refuse_none(post->norm);
  if (const auto* pre = std::get_if<PreNorm>(&order)) refuse_none(pre->norm);
}

}  // namespace

void validate(const TransformerOptions& o, const nn::AttentionKind& kind, const std::string& section) {
  if (!o.query_key_norm || !std::holds_alternative<nn::ParameterFree>(kind)) return;
  throw ConfigError(section + ".query-key-norm",
                    "must be none with parameter-free attention: the norms have parameters");
}

void validate(const nn::AttentionKind& kind, int64_t d_model, const std::string& section) {
  const int64_t heads = nn::heads_of(kind);
  if (d_model % heads == 0) return;
  throw ConfigError(section + ".heads", fmt::format("must divide arch.d-model ({}), found {}", d_model, heads));
}

void validate(const TransformerOptions& o, int64_t d_model, const std::string& section) {
  validate(o.attention, d_model, section);
  validate(o, o.attention, section);
  validate_norm(o.norm_order, section);
  if (std::holds_alternative<nn::SinusoidalPositions>(o.positions) && d_model % 2 != 0) {
    throw ConfigError(section + ".positions", fmt::format("sinusoidal need an even arch.d-model, found {}", d_model));
  }
  const int64_t d_head = d_model / nn::heads_of(o.attention);
  if (std::holds_alternative<nn::RotaryPositions>(o.positions) && d_head % 2 != 0) {
    throw ConfigError(section + ".positions", fmt::format("rotary need an even width of each head, found {}", d_head));
  }
}

void validate(const TransformerEncoderOptions& o, int64_t d_model) { validate(o.stack, d_model, "arch.encoder"); }

nn::AttentionKind TransformerDecoderOptions::cross_attention() const {
  if (const auto* multi = std::get_if<nn::MultiHead>(&cross.attention)) return *multi;
  if (const auto* single = std::get_if<nn::SingleHead>(&cross.attention)) return *single;
  if (const auto* free = std::get_if<nn::ParameterFree>(&cross.attention)) return *free;
  return stack.attention;
}

nn::AttentionOptions TransformerLayerOptions::self_attention() const {
  const auto* relative = std::get_if<nn::RelativePositionOptions>(&stack.positions);
  return {.d_model = d_model,
          .kind = stack.attention,
          .scaled = stack.scale_scores,
          .dropout = stack.attention_dropout,
          .query_key_value_dropout = stack.query_key_value_dropout,
          .query_key_norm = stack.query_key_norm,
          .relative = relative ? std::optional(*relative) : std::nullopt};
}

nn::AttentionOptions TransformerLayerOptions::cross_attention(const nn::AttentionKind& kind, int64_t d_memory) const {
  return {.d_model = d_model,
          .kind = kind,
          .scaled = stack.scale_scores,
          .dropout = stack.attention_dropout,
          .query_key_value_dropout = stack.query_key_value_dropout,
          .query_key_norm = stack.query_key_norm,
          .relative = std::nullopt,
          .d_memory = d_memory};
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

std::optional<int64_t> max_length(const TransformerEncoderOptions& o) { return learned_positions(o.stack); }
std::optional<int64_t> max_length(const TransformerDecoderOptions& o) { return learned_positions(o.stack); }

void list_parameters(const TransformerEncoderOptions& o, int64_t d_model, const ParameterList& list) {
  list_layers({.d_model = d_model, .stack = o.stack}, std::nullopt, list);
}

void list_parameters(const TransformerDecoderOptions& o, int64_t d_model, int64_t d_memory, const ParameterList& list) {
  const TransformerLayerOptions layer{.d_model = d_model, .stack = o.stack};
  std::optional<nn::AttentionOptions> cross;
  if (d_memory > 0) cross = layer.cross_attention(o.cross_attention(), d_memory);
  list_layers(layer, cross, list);
}

}  // namespace heed::models
