#include "heed_torch/interchange/common/refusal.h"

#include <variant>

#include <fmt/format.h>

namespace heed::interchange {
namespace {

template <class... Options>
std::string name_of(const std::variant<Options...>& alternatives) {
  return std::visit([]<class Held>(const Held&) { return std::string(Held::kName); }, alternatives);
}

}  // namespace

Refusal::Refusal(const std::string& directory, const std::string& what, const std::string& format)
    : CheckpointError(directory, fmt::format("has {}, which {} cannot hold", what, format)), obstacle_(what) {}

void Target::refuse(const std::string& what) const { throw Refusal(directory, what, format); }

Stacks require_transformer(const models::ArchitectureOptions& arch, const Target& target) {
  target.refuse_if(arch.vectors.any(), "a source of vectors (`arch.vectors.type`)");
  target.refuse_if(!arch.has_encoder(), "no encoder (it is a language model)");
  target.refuse_if(!arch.has_decoder(), fmt::format("the head `{}`", name_of(arch.head.type)));
  const auto* encoder = std::get_if<models::TransformerEncoderOptions>(&arch.encoder.type);
  if (encoder == nullptr) target.refuse(fmt::format("the encoder `{}`", name_of(arch.encoder.type)));
  const auto* decoder = std::get_if<models::TransformerDecoderOptions>(&arch.decoder.type);
  if (decoder == nullptr) target.refuse(fmt::format("the decoder `{}`", name_of(arch.decoder.type)));
  target.refuse_if(!decoder->causal_mask, "a decoder without a causal mask (`arch.decoder.causal-mask`)");
  for (const auto* stack : {&encoder->stack, &decoder->stack}) {
    target.refuse_if(!stack->residual, "no residual connections (`residual`)");
    target.refuse_if(stack->query_key_norm.has_value(), "norms of queries and keys (`query-key-norm`)");
  }
  return {.encoder = &encoder->stack, .decoder = &decoder->stack, .cross = decoder->cross_attention()};
}

int64_t require_heads(const nn::AttentionKind& kind, const std::string& section, const Target& target) {
  const auto* heads = std::get_if<nn::MultiHead>(&kind);
  if (heads == nullptr) target.refuse(fmt::format("`{}.attention` = {}", section, name_of(kind)));
  return heads->heads;
}

}  // namespace heed::interchange
