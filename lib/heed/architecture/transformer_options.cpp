#include "heed/architecture/transformer_options.h"

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::models {
namespace {

void validate_norm(const NormOrder& order, const std::string& section) {
  const auto refuse_none = [&](nn::NormKind kind) {
    if (kind != nn::NormKind::None) return;
    throw ConfigError(section + ".norm", "must be layer or rms here; for no norm, set norm-order to none");
  };
  if (const auto* post = std::get_if<PostNorm>(&order)) refuse_none(post->norm);
  if (const auto* pre = std::get_if<PreNorm>(&order)) refuse_none(pre->norm);
}

}  // namespace

void validate(const nn::AttentionKind& kind, int64_t d_model, const std::string& section) {
  const int64_t heads = nn::heads_of(kind);
  if (d_model % heads == 0) return;
  throw ConfigError(section + ".heads", fmt::format("must divide arch.d-model ({}), found {}", d_model, heads));
}

void validate(const TransformerOptions& o, int64_t d_model, const std::string& section) {
  validate(o.attention, d_model, section);
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

}  // namespace heed::models
