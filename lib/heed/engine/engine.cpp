#include "heed/engine/engine.h"

#include <cmath>

#include "heed/engine/transformer/decoder.h"
#include "heed/engine/transformer/encoder.h"

namespace heed::engine {
namespace {

/// What the parts of an engine are made of.
struct Builder {
  const models::ArchitectureOptions& options;
  const models::VocabularySizes& sizes;
  const Weights& weights;
  Precision precision;

  EmbeddingTable embedding(const std::string& name, int64_t vocabulary) const {
    return {.weight = weights.matrix(name + ".weight", vocabulary, options.d_model),
            .scale = options.embedding_scale ? static_cast<float>(std::sqrt(static_cast<double>(options.d_model))) : 1};
  }
  EmbeddingTable target() const { return embedding("decoder.embedding", sizes.target); }
  EmbeddingTable source() const {
    const bool shared = options.tied_embeddings == models::TiedEmbeddings::All;
    return shared ? target() : embedding("encoder.embedding", sizes.source);
  }
  LayerSource layers(const models::TransformerOptions& stack) const {
    return {.weights = weights, .precision = precision, .d_model = options.d_model, .stack = stack};
  }

  std::unique_ptr<Encoder> encoder() const {
    if (!options.has_encoder()) return nullptr;
    const auto& encoder = std::get<models::TransformerEncoderOptions>(options.encoder.type);
    return std::make_unique<TransformerEncoder>(layers(encoder.stack), source());
  }
  std::unique_ptr<Decoder> decoder(int64_t d_memory) const {
    const auto& decoder = std::get<models::TransformerDecoderOptions>(options.decoder.type);
    std::optional<MemoryAttention> memory;
    if (options.has_encoder()) memory = MemoryAttention{decoder.cross_attention(), d_memory};
    return std::make_unique<TransformerDecoder>(layers(decoder.stack), target(), memory);
  }
  std::unique_ptr<Output> output() const {
    const bool tied = options.tied_embeddings != models::TiedEmbeddings::None;
    const Weight weight =
        weights.matrix(tied ? "decoder.embedding.weight" : "output.weight", sizes.target, options.d_model);
    if (!options.output_bias) return std::make_unique<Output>(Matrix(weight, nullptr, precision));
    const Weight bias = weights.vector("output.bias", sizes.target);
    return std::make_unique<Output>(Matrix(weight, &bias, precision));
  }
};

std::optional<int64_t> longest(const models::TransformerOptions& stack) {
  const auto* learned = std::get_if<nn::LearnedPositions>(&stack.positions);
  return learned == nullptr ? std::nullopt : std::optional(learned->max_length);
}

std::optional<std::string> refused(const models::TransformerOptions& stack) {
  if (std::holds_alternative<nn::RelativePositionOptions>(stack.positions)) return "relative positions";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> Engine::refuses(const models::ArchitectureOptions& options) {
  if (options.has_encoder()) {
    const auto* encoder = std::get_if<models::TransformerEncoderOptions>(&options.encoder.type);
    if (encoder == nullptr) return "an encoder of another kind than transformer";
    if (const auto why = refused(encoder->stack)) return why;
  }
  const auto* decoder = std::get_if<models::TransformerDecoderOptions>(&options.decoder.type);
  if (decoder == nullptr) return "a decoder of another kind than transformer";
  return refused(decoder->stack);
}

Engine::Engine(const models::ArchitectureOptions& options, const models::VocabularySizes& sizes,
               const std::string& path, Precision precision)
    : weights_(path), precision_(precision) {
  const Builder builder{options, sizes, weights_, precision};
  encoder_ = builder.encoder();
  decoder_ = builder.decoder(models::memory_shape(options).d_memory);
  output_ = builder.output();
  if (options.has_encoder()) {
    max_source_length_ = longest(std::get<models::TransformerEncoderOptions>(options.encoder.type).stack);
  }
  max_target_length_ = longest(std::get<models::TransformerDecoderOptions>(options.decoder.type).stack);
}

}  // namespace heed::engine
