#include "heed/engine/engine.h"

#include <array>
#include <functional>
#include <variant>

#include "heed/core/error.h"
#include "heed/core/parallel.h"
#include "heed/engine/convolution/decoder.h"
#include "heed/engine/convolution/encoder.h"
#include "heed/engine/recurrent/decoder.h"
#include "heed/engine/recurrent/encoder.h"
#include "heed/engine/transformer/decoder.h"
#include "heed/engine/transformer/encoder.h"

namespace heed::engine {
namespace {

constexpr const char* kSourceTable = "encoder.embedding.weight";
constexpr const char* kTargetTable = "decoder.embedding.weight";

/// Builds the encoder, decoder and output layer.
struct Builder {
  const models::ArchitectureOptions& options;
  const Weights& weights;
  Precision precision;
  models::MemoryShape memory;

  EmbeddingTable table(const std::string& name) const {
    return {.weight = weights.get(name), .scale = static_cast<float>(options.embedding_factor())};
  }
  EmbeddingTable target() const { return table(kTargetTable); }
  EmbeddingTable source() const { return weights.has(kSourceTable) ? table(kSourceTable) : target(); }
  LayerSource layers(const models::TransformerOptions& stack) const {
    return {.weights = weights, .precision = precision, .layer = {.d_model = options.d_model, .stack = stack}};
  }

  std::unique_ptr<Encoder> make(const models::TransformerEncoderOptions& encoder) const {
    return std::make_unique<TransformerEncoder>(layers(encoder.stack), source());
  }
  std::unique_ptr<Encoder> make(const models::RnnEncoderOptions& encoder) const {
    return std::make_unique<RecurrentEncoder>(weights, encoder, source(), precision);
  }
  std::unique_ptr<Encoder> make(const models::ConvolutionEncoderOptions& encoder) const {
    return std::make_unique<ConvolutionEncoder>(weights, encoder, source(), precision);
  }
  std::unique_ptr<Decoder> make(const models::TransformerDecoderOptions& decoder) const {
    const LayerSource source = layers(decoder.stack);
    std::optional<nn::AttentionOptions> cross;
    if (options.has_encoder()) cross = source.layer.cross_attention(decoder.cross_attention(), memory.d_memory);
    return std::make_unique<TransformerDecoder>(source, target(), cross);
  }
  std::unique_ptr<Decoder> make(const models::RnnDecoderOptions& decoder) const {
    return std::make_unique<RecurrentDecoder>(weights, decoder, target(), memory, precision);
  }
  std::unique_ptr<Decoder> make(const models::ConvolutionDecoderOptions& decoder) const {
    return std::make_unique<ConvolutionDecoder>(weights, decoder, target(), precision);
  }

  std::unique_ptr<Output> output() const {
    const Weight weight = weights.get(weights.has("output.weight") ? "output.weight" : kTargetTable);
    Weight bias;
    if (options.output_bias) bias = weights.get("output.bias");
    auto output = std::make_unique<Output>(weight, options.output_bias ? &bias : nullptr, precision);
    weights.release(weight);  // embeddings and short-lists read a few of its rows
    return output;
  }
};

/// Names the part of an encoder or decoder that is not supported.
struct Refusal {
  std::string_view part;

  std::optional<std::string> operator()(const models::NoEncoderOptions&) const { return std::nullopt; }
  template <class Coder>
  std::optional<std::string> operator()(const Coder& coder) const {
    if constexpr (requires(const Builder& builder) { builder.make(coder); }) {
      return of_parts(coder);
    } else {
      return "the " + std::string(part) + " " + std::string(Coder::kName);
    }
  }

 private:
  template <class Coder>
  std::optional<std::string> of_parts(const Coder& coder) const {
    if constexpr (requires { models::memory_attention_of(coder.attention); }) {
      const nn::MemoryAttentionOptions* attention = models::memory_attention_of(coder.attention);
      if (attention != nullptr && !has_source_score(attention->score)) return "this attention score";
    }
    return std::nullopt;
  }
};

/// Makes the selected encoder or decoder; null: there is none.
template <class Made, class Options>
std::unique_ptr<Made> make_coder(const Builder& builder, const Options& alternatives) {
  const auto make = [&](const auto& coder) -> std::unique_ptr<Made> {
    if constexpr (requires { builder.make(coder); }) {
      return builder.make(coder);
    } else {
      return nullptr;
    }
  };
  return std::visit(make, alternatives);
}

}  // namespace

std::optional<std::string> Engine::refuses(const models::ArchitectureOptions& options) {
  if (options.vectors.any()) return "a source of vectors";
  if (const auto why = std::visit(Refusal{"encoder"}, options.encoder.type)) return why;
  return std::visit(Refusal{"decoder"}, options.decoder.type);
}

Engine::Engine(const models::ArchitectureOptions& options, const models::VocabularySizes& sizes,
               const std::string& path, Precision precision, int64_t threads)
    : weights_(path, models::parameter_shapes(options, sizes)),
      precision_(precision),
      has_attention_(models::has_source_attention(options)),
      max_source_length_(models::max_source_length(options)),
      max_target_length_(models::max_target_length(options)) {
  check(!refuses(options), "a model that the engine does not take");
  const Builder builder{options, weights_, precision, models::memory_shape(options)};
  const std::array<std::function<void()>, 3> parts{
      [&] { decoder_ = make_coder<Decoder>(builder, options.decoder.type); },
      [&] { encoder_ = make_coder<Encoder>(builder, options.encoder.type); }, [&] { output_ = builder.output(); }};
  parallel_chunks(threads, std::ssize(parts), 1,
                  [&](int64_t, int64_t part, int64_t) { parts[static_cast<size_t>(part)](); });
}

}  // namespace heed::engine
