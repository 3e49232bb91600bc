#include "heed_torch/models/model.h"

#include <optional>

#include <ATen/ATen.h>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed_torch/models/convolution/decoder.h"
#include "heed_torch/models/rnn/decoder.h"
#include "heed_torch/models/transformer/decoder.h"
#include "heed_torch/nn/initialization.h"

namespace heed::models {
namespace {

nn::TokenEmbedding make_embedding(const ArchitectureOptions& options, int64_t vocab_size) {
  return nn::TokenEmbedding(nn::TokenEmbeddingOptions{.vocab_size = vocab_size,
                                                      .d_model = options.d_model,
                                                      .scale = options.embedding_factor(),
                                                      .word_dropout = options.word_dropout});
}

std::shared_ptr<Encoder> build_encoder(const ArchitectureOptions& arch, int64_t vocabulary,
                                       const nn::TokenEmbedding& target) {
  if (!arch.has_encoder()) return nullptr;
  const bool shared = arch.tied_embeddings == TiedEmbeddings::All;
  nn::TokenEmbedding embedding = shared ? target : nn::TokenEmbedding(nullptr);
  if (!shared && vocabulary > 0) embedding = make_embedding(arch, vocabulary);
  const auto source =
      std::make_shared<SourceReader>(arch.d_model, embedding, shared, make_vector_reader(arch.vectors, arch.d_model));
  return std::visit([&](const auto& options) { return make_encoder(options, arch.dropout, source); },
                    arch.encoder.type);
}

struct DecoderBuilder {
  const ArchitectureOptions& arch;
  const nn::TokenEmbedding& embedding;
  const MemoryShape& memory;

  std::shared_ptr<Decoder> operator()(const NoDecoderOptions&) const { return nullptr; }
  std::shared_ptr<Decoder> operator()(const TransformerDecoderOptions& options) const {
    const TransformerLayerOptions layer{.d_model = arch.d_model, .dropout = arch.dropout, .stack = options.stack};
    std::optional<nn::AttentionOptions> cross;
    if (arch.has_encoder()) cross = layer.cross_attention(options.cross_attention(), memory.d_memory);
    return std::make_shared<TransformerDecoder>(options, layer, cross, embedding);
  }
  std::shared_ptr<Decoder> operator()(const RnnDecoderOptions& options) const {
    return std::make_shared<RnnDecoder>(options, arch.dropout, memory, embedding);
  }
  std::shared_ptr<Decoder> operator()(const ConvolutionDecoderOptions& options) const {
    return std::make_shared<ConvolutionDecoder>(options, arch.dropout, memory.d_memory, embedding);
  }
};

}  // namespace

Model::Model(const ArchitectureOptions& options, const VocabularySizes& sizes)
    : options_(std::make_shared<ArchitectureOptions>(options)), sizes_(sizes) {
  validate(options, sizes);
  const nn::TokenEmbedding target = make_embedding(options, sizes.target);
  encoder = build_encoder(options, sizes.source, target);
  if (encoder) register_module("encoder", encoder);
  const MemoryShape memory = memory_shape(options, sizes.source);
  decoder = std::visit(DecoderBuilder{options, target, memory}, options.decoder.type);
  if (decoder) register_module("decoder", decoder);
  head = make_head(options.head, memory, sizes.target, options.dropout);
  if (head) register_module("head", head);
  const bool tied = options.tied_embeddings != TiedEmbeddings::None;
  const int64_t width = head ? head_width(options.head, memory) : options.d_model;
  output = register_module(
      "output",
      nn::OutputLayer(nn::OutputLayerOptions{.d_model = width, .vocab_size = sizes.target, .bias = options.output_bias},
                      tied ? target : nn::TokenEmbedding(nullptr)));
}

Memory Model::encode(const Source& source) {
  check(encoder != nullptr, "a language model has no encoder");
  Memory memory = encoder->forward(source);
  const bool reads_bfloat16 = std::holds_alternative<TransformerDecoderOptions>(options_->decoder.type);
  if (memory.states.is_cpu() && memory.states.scalar_type() == at::kBFloat16 && !reads_bfloat16) {
    memory.states = memory.states.to(at::kFloat);
  }
  return memory;
}

Tensor Model::logits(const Tensor& hidden) { return output(hidden); }

std::optional<int64_t> Model::max_source_length() const { return models::max_source_length(*options_); }
std::optional<int64_t> Model::max_target_length() const { return models::max_target_length(*options_); }

std::shared_ptr<Model> build_model(const ArchitectureOptions& options, const VocabularySizes& sizes, uint64_t seed) {
  auto model = std::make_shared<Model>(options, sizes);
  nn::initialize(*model, options.initialization, seed);
  return model;
}

}  // namespace heed::models
