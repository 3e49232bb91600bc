#include "heed/models/architecture.h"

#include <string>

#include <c10/util/StringUtil.h>

#include "heed/core/error.h"

namespace heed::models {
namespace {

void validate_attention(const nn::AttentionKind& kind, int64_t d_model, const std::string& section) {
  const int64_t heads = nn::heads_of(kind);
  if (d_model % heads == 0) return;
  throw ConfigError(section + ".heads", c10::str("must divide arch.d-model (", d_model, "), found ", heads));
}

void validate_norm(const NormOrder& order, const std::string& section) {
  const auto refuse_none = [&](nn::NormKind kind) {
    if (kind != nn::NormKind::None) return;
    throw ConfigError(section + ".norm", "must be layer or rms here; for no norm, set norm-order to none");
  };
  if (const auto* post = std::get_if<PostNorm>(&order)) refuse_none(post->norm);
  if (const auto* pre = std::get_if<PreNorm>(&order)) refuse_none(pre->norm);
}

void validate_stack(const TransformerOptions& o, int64_t d_model, const std::string& section) {
  validate_attention(o.attention, d_model, section);
  validate_norm(o.norm_order, section);
  if (std::holds_alternative<nn::SinusoidalPositions>(o.positions) && d_model % 2 != 0) {
    throw ConfigError(section + ".positions",
                      c10::str("sinusoidal need an even arch.d-model, found ", d_model));
  }
  const int64_t d_head = d_model / nn::heads_of(o.attention);
  if (std::holds_alternative<nn::RotaryPositions>(o.positions) && d_head % 2 != 0) {
    throw ConfigError(section + ".positions",
                      c10::str("rotary need an even width of each head, found ", d_head));
  }
}

void validate_decoder(const TransformerDecoderOptions& o, const ArchitectureOptions& arch) {
  validate_stack(o.stack, arch.d_model, "arch.decoder");
  if (arch.has_encoder()) {
    validate_attention(o.cross_attention(), arch.d_model, "arch.decoder.cross");
  } else if (!std::holds_alternative<SameAsSelfAttention>(o.cross.attention)) {
    throw ConfigError("arch.decoder.cross.attention", "does not apply without an encoder");
  }
}

}  // namespace

void validate(const ArchitectureOptions& o) {
  if (const auto* transformer = std::get_if<TransformerEncoderOptions>(&o.encoder.type)) {
    validate_stack(transformer->stack, o.d_model, "arch.encoder");
  }
  std::visit([&](const auto& decoder) { validate_decoder(decoder, o); }, o.decoder.type);
  if (o.tied_embeddings == TiedEmbeddings::All && !o.has_encoder()) {
    throw ConfigError("arch.tied-embeddings", "must be none or decoder without an encoder, found all");
  }
}

void validate(const ArchitectureOptions& o, const VocabularySizes& sizes) {
  validate(o);
  if (o.tied_embeddings == TiedEmbeddings::All && sizes.source != sizes.target) {
    throw ConfigError("arch.tied-embeddings",
                      c10::str("all needs one vocabulary for both languages, found ", sizes.source, " source and ",
                               sizes.target, " target entries"));
  }
}

}  // namespace heed::models
