// The architecture of a model: section [arch] of a configuration. Every encoder works with every decoder; each is one
// alternative of a variant. The headers of options never include torch, so programs without LibTorch can use them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "heed/architecture/convolution_options.h"
#include "heed/architecture/head_options.h"
#include "heed/architecture/identity_options.h"
#include "heed/architecture/initialization_options.h"
#include "heed/architecture/memory_shape.h"
#include "heed/architecture/parameter_list.h"
#include "heed/architecture/rnn_options.h"
#include "heed/architecture/source_options.h"
#include "heed/architecture/stochastic_parts.h"
#include "heed/architecture/transformer_options.h"
#include "heed/architecture/vocabulary_sizes.h"
#include "heed/core/options.h"

namespace heed::models {

/// Without an encoder, the decoder is a language model.
struct NoEncoderOptions {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoEncoderOptions&) const = default;
};
void describe(NoEncoderOptions&, AnyOptionVisitor auto&) {}
inline std::shared_ptr<Encoder> make_encoder(const NoEncoderOptions&, double, const std::shared_ptr<SourceReader>&) {
  return nullptr;
}
inline MemoryShape memory_shape(const NoEncoderOptions&, int64_t) { return {}; }

struct EncoderOptions {
  std::variant<TransformerEncoderOptions, RnnEncoderOptions, ConvolutionEncoderOptions, NoEncoderOptions,
               IdentityEncoderOptions>
      type;
  bool operator==(const EncoderOptions&) const = default;
};
void describe(EncoderOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives(
      "type", o.type,
      "the encoder; identity: the decoder or head looks at the source's vectors themselves; none makes a language model");
}

/// Without a decoder, a head reads the encoder output.
struct NoDecoderOptions {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoDecoderOptions&) const = default;
};
void describe(NoDecoderOptions&, AnyOptionVisitor auto&) {}

struct DecoderOptions {
  std::variant<TransformerDecoderOptions, RnnDecoderOptions, ConvolutionDecoderOptions, NoDecoderOptions> type;
  bool operator==(const DecoderOptions&) const = default;
};
void describe(DecoderOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("type", o.type, "the decoder; none if there is a head on the encoder");
}

/// Weight tying: which embedding and output matrices are the same matrix (Press and Wolf 2017,
/// https://arxiv.org/abs/1608.05859).
enum class TiedEmbeddings {
  None,     ///< three matrices
  Decoder,  ///< target embedding and output layer are one matrix
  All,      ///< source embedding, target embedding and output layer are one; needs a joint vocabulary
};
constexpr auto option_names(TiedEmbeddings) {
  using Name = std::pair<TiedEmbeddings, std::string_view>;
  return std::array{Name{TiedEmbeddings::None, "none"}, Name{TiedEmbeddings::Decoder, "decoder"},
                    Name{TiedEmbeddings::All, "all"}};
}

struct ArchitectureOptions {
  int64_t d_model = 512;    ///< width of embeddings and layers
  double dropout = 0.1;     ///< in a Transformer on embeddings and residual branches, else on inputs of layers; in [0,
                            ///< 1), 0 = off
  double word_dropout = 0;  ///< on whole tokens of source and target; in [0, 1), 0 = off
  TiedEmbeddings tied_embeddings = TiedEmbeddings::Decoder;
  bool embedding_scale = true;  ///< multiply embeddings by sqrt(d_model) (Vaswani, 3.4)
  bool output_bias = false;     ///< the output layer adds a bias
  VectorOptions vectors;        ///< vectors of the source, in addition to text or instead of it
  EncoderOptions encoder;
  DecoderOptions decoder;
  HeadOptions head;
  nn::InitializationOptions initialization;
  bool operator==(const ArchitectureOptions&) const = default;

  bool has_encoder() const { return !std::holds_alternative<NoEncoderOptions>(encoder.type); }
  bool has_decoder() const { return !std::holds_alternative<NoDecoderOptions>(decoder.type); }
  /// The factor on embeddings: sqrt(d_model), or 1.
  double embedding_factor() const;
};
void describe(ArchitectureOptions& o, AnyOptionVisitor auto& visit) {
  visit("d-model", o.d_model, "width of the model: embeddings and layers", between(1, 1e6));
  visit("dropout", o.dropout,
        "dropout probability: in a Transformer on embeddings and residual branches, "
        "elsewhere on the input of every layer and of the output layer; 0: off",
        between(0, 0.99));
  visit("word-dropout", o.word_dropout,
        "word dropout: probability that training sets the embedding of a token to 0, in the source and in what the "
        "decoder reads; 0: off",
        between(0, 0.99));
  visit("tied-embeddings", o.tied_embeddings,
        "weight tying: one matrix for target embedding and output layer (decoder), for the "
        "source embedding too (all; needs a joint vocabulary), or three matrices (none)");
  visit("embedding-scale", o.embedding_scale, "multiply embeddings by the square root of the model's width");
  visit("output-bias", o.output_bias, "add a bias in the output layer");
  visit.section("vectors", o.vectors, "vectors of the source: frames, regions, pixels, series");
  visit.section("encoder", o.encoder, "the encoder");
  visit.section("decoder", o.decoder, "the decoder");
  visit.section("head", o.head, "head on the encoder, instead of a decoder");
  visit.section("initialization", o.initialization, "initial values of the parameters");
}

// What the options mean. LibTorch's networks, the inference engine, imports and checks of options all read it here.

/// The shape of the encoder output. vocabulary: size of the source vocabulary.
MemoryShape memory_shape(const ArchitectureOptions& options, int64_t vocabulary = 0);

/// The attention of a recurrent decoder to the source; null if it has no attention or the decoder is not recurrent.
const nn::MemoryAttentionOptions* recurrent_attention(const ArchitectureOptions& options);
/// Whether the decoder attends to the source; false without an encoder.
bool has_source_attention(const ArchitectureOptions& options);

/// The longest source in tokens (including eos) and vectors, and the longest target (including bos). Learned positions
/// limit them, and a score of locations limits the source; absent: no limit.
std::optional<int64_t> max_source_length(const ArchitectureOptions& options);
std::optional<int64_t> max_target_length(const ArchitectureOptions& options);

/// The parameters and buffers of the whole model.
ParameterShapes parameter_shapes(const ArchitectureOptions& options, const VocabularySizes& sizes);

/// Throws ConfigError if options do not fit each other. The overload with `vocabularies` also checks their sizes.
void validate(const ArchitectureOptions& options);
void validate(const ArchitectureOptions& options, const VocabularySizes& vocabularies);

}  // namespace heed::models
