#include "heed/architecture/source_attention.h"

#include <variant>

namespace heed::models {

const nn::MemoryAttentionOptions* recurrent_attention(const ArchitectureOptions& options) {
  const auto* decoder = std::get_if<RnnDecoderOptions>(&options.decoder.type);
  return decoder == nullptr ? nullptr : memory_attention_of(decoder->attention);
}

bool has_source_attention(const ArchitectureOptions& options) {
  const bool recurrent = std::holds_alternative<RnnDecoderOptions>(options.decoder.type);
  return options.has_encoder() && (!recurrent || recurrent_attention(options) != nullptr);
}

}  // namespace heed::models
