#include "heed/engine/engine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <variant>

#include "heed/architecture/source_attention.h"
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

/// Builds the encoder, decoder and output layer.
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
  models::MemoryShape memory() const {
    models::MemoryShape shape = models::memory_shape(options);
    shape.vocabulary = sizes.source;
    return shape;
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
    std::optional<MemoryAttention> attention;
    if (options.has_encoder()) attention = MemoryAttention{decoder.cross_attention(), memory().d_memory};
    return std::make_unique<TransformerDecoder>(layers(decoder.stack), target(), attention);
  }
  std::unique_ptr<Decoder> make(const models::RnnDecoderOptions& decoder) const {
    return std::make_unique<RecurrentDecoder>(weights, decoder, target(), memory(), precision);
  }
  std::unique_ptr<Decoder> make(const models::ConvolutionDecoderOptions& decoder) const {
    const int64_t d_memory = options.has_encoder() ? memory().d_memory : 0;
    return std::make_unique<ConvolutionDecoder>(weights, decoder, target(), d_memory, precision);
  }

  std::unique_ptr<Output> output() const {
    const bool tied = options.tied_embeddings != models::TiedEmbeddings::None;
    const Weight weight =
        weights.matrix(tied ? "decoder.embedding.weight" : "output.weight", sizes.target, options.d_model);
    Weight bias;
    if (options.output_bias) bias = weights.vector("output.bias", sizes.target);
    auto output = std::make_unique<Output>(weight, options.output_bias ? &bias : nullptr, precision);
    weights.release(weight);  // embeddings and shortlists read a few of its rows
    return output;
  }
};

/// The maximum length of an encoder or decoder: the number of its learned positions.
template <class Coder>
std::optional<int64_t> longest(const Coder& coder) {
  if constexpr (requires { coder.stack.positions; }) {
    const auto* learned = std::get_if<nn::LearnedPositions>(&coder.stack.positions);
    if (learned != nullptr) return learned->max_length;
  }
  if constexpr (requires { coder.stack.max_length; }) return coder.stack.max_length;
  return std::nullopt;
}

std::optional<int64_t> longest_source(const models::ArchitectureOptions& options) {
  auto limit = std::visit([](const auto& encoder) { return longest(encoder); }, options.encoder.type);
  const nn::MemoryAttentionOptions* attention = models::recurrent_attention(options);
  const auto* location = attention == nullptr ? nullptr : std::get_if<nn::LocationScore>(&attention->score);
  if (location == nullptr) return limit;
  return limit ? std::min(*limit, location->max_source) : location->max_source;
}

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
    : weights_(path), precision_(precision) {
  check(!refuses(options), "a model that the engine does not take");
  const Builder builder{options, sizes, weights_, precision};
  const std::array<std::function<void()>, 3> parts{
      [&] { decoder_ = make_coder<Decoder>(builder, options.decoder.type); },
      [&] { encoder_ = make_coder<Encoder>(builder, options.encoder.type); }, [&] { output_ = builder.output(); }};
  parallel_chunks(threads, std::ssize(parts), 1,
                  [&](int64_t, int64_t part, int64_t) { parts[static_cast<size_t>(part)](); });
  has_attention_ = models::has_source_attention(options);
  max_source_length_ = longest_source(options);
  max_target_length_ = std::visit([](const auto& decoder) { return longest(decoder); }, options.decoder.type);
}

}  // namespace heed::engine
