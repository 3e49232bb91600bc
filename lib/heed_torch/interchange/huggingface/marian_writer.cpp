#include "heed_torch/interchange/huggingface/marian.h"

#include <cmath>
#include <filesystem>
#include <utility>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "heed/core/files/atomic_file.h"
#include "heed_torch/interchange/common/external_tensors.h"
#include "heed_torch/interchange/common/layer_parameters.h"
#include "heed_torch/interchange/common/refusal.h"
#include "heed_torch/interchange/huggingface/marian_config.h"
#include "heed_torch/interchange/huggingface/marian_vocabulary.h"

namespace heed::interchange {
namespace {

using at::Tensor;
using checkpoint::NamedTensors;

void require_layers(const models::TransformerOptions& stack, const std::string& section, const Target& target) {
  require_heads(stack.attention, section, target);
  target.refuse_if(!std::holds_alternative<nn::SinusoidalPositions>(stack.positions),
                   fmt::format("other positions than sinusoidal (`{}.positions`)", section));
  const auto* post = std::get_if<models::PostNorm>(&stack.norm_order);
  target.refuse_if(post == nullptr, fmt::format("another norm order than post (`{}.norm-order`)", section));
  target.refuse_if(post->norm != nn::NormKind::Layer || post->epsilon != 1e-5,
                   fmt::format("another norm than layer with epsilon 1e-5 (`{}.norm`)", section));
  target.refuse_if(stack.feed_forward.gated, fmt::format("a gated feed-forward network (`{}.gated`)", section));
}

Stacks require_marian_network(const models::ArchitectureOptions& arch, const Target& target) {
  const Stacks stacks = require_transformer(arch, target);
  require_layers(*stacks.encoder, "arch.encoder", target);
  require_layers(*stacks.decoder, "arch.decoder", target);
  const int64_t heads = require_heads(stacks.cross, "arch.decoder.cross", target);
  target.refuse_if(heads != nn::heads_of(stacks.decoder->attention),
                   "another number of heads to the source than in self-attention (`arch.decoder.cross.heads`)");
  target.refuse_if(stacks.encoder->feed_forward.activation != stacks.decoder->feed_forward.activation,
                   "two activation functions (`arch.decoder.activation`)");
  target.refuse_if(arch.d_model % 2 != 0, "an odd `arch.d-model`");
  return stacks;
}

/// heed's tensors in MarianMT's order and by its names.
class MarianLayout {
 public:
  MarianLayout(const ExchangedModel& model, const Stacks& stacks, const MarianOrder& order)
      : model_(model), stacks_(stacks), order_(order), width_(DimensionOrder::pairs_to_halves(model.arch.d_model)) {}

  NamedTensors tensors() {
    add_embeddings();
    add_output_bias();
    for (const LayerParameter& part : encoder_parts(*stacks_.encoder)) add_part(part, *stacks_.encoder);
    for (const LayerParameter& part : decoder_parts(*stacks_.decoder)) add_part(part, *stacks_.decoder);
    return std::move(made_);
  }

 private:
  void add_table(const std::string& theirs, const char* ours, const std::vector<int64_t>& ids) {
    const Tensor rows = model_.tensors.at(ours).index_select(0, at::tensor(ids, at::kLong));
    made_[theirs] = width_(rows, 1);
  }

  void add_embeddings() {
    if (model_.arch.tied_embeddings == models::TiedEmbeddings::All) {
      return add_table("model.shared.weight", "decoder.embedding.weight", order_.target);
    }
    add_table("model.encoder.embed_tokens.weight", "encoder.embedding.weight", order_.source);
    add_table("model.decoder.embed_tokens.weight", "decoder.embedding.weight", order_.target);
    if (model_.arch.tied_embeddings == models::TiedEmbeddings::Decoder) return;
    add_table("lm_head.weight", "output.weight", order_.target);
  }

  void add_output_bias() {
    const auto bias = model_.tensors.find("output.bias");
    const Tensor ids = at::tensor(order_.target, at::kLong);
    made_["final_logits_bias"] =
        (bias == model_.tensors.end() ? at::zeros({ids.size(0)}) : bias->second.index_select(0, ids)).unsqueeze(0);
  }

  /// Scales the queries if heed does not divide scores by the root of a head's width.
  void scale_queries(const std::string& theirs, const models::TransformerOptions& stack) {
    if (stack.scale_scores || !theirs.ends_with("q_proj")) return;
    const int64_t d_head = model_.arch.d_model / nn::heads_of(stack.attention);
    const double factor = std::sqrt(static_cast<double>(d_head));
    for (const char* ending : {".weight", ".bias"}) made_[theirs + ending] = made_[theirs + ending] * factor;
  }

  /// A projection without a bias gets a bias of zeros.
  void add_part(const LayerParameter& part, const models::TransformerOptions& stack) {
    const auto count = static_cast<int64_t>(part.marian.size());
    const Tensor& weight = model_.tensors.at(part.heed + ".weight");
    const auto bias = model_.tensors.find(part.heed + ".bias");
    const Tensor added = bias == model_.tensors.end() ? at::zeros({weight.size(0)}) : bias->second;
    const auto weights = reordered(part, weight, width_).chunk(count);
    const auto biases = reordered(part, added, width_).chunk(count);
    for (size_t i = 0; i < part.marian.size(); ++i) {
      made_[part.marian[i] + ".weight"] = weights[i];
      made_[part.marian[i] + ".bias"] = biases[i];
      scale_queries(part.marian[i], stack);
    }
  }

  const ExchangedModel& model_;
  const Stacks& stacks_;
  const MarianOrder& order_;
  DimensionOrder width_;
  NamedTensors made_;
};

}  // namespace

void require_marian(const models::ArchitectureOptions& arch, const text::Tokenizers& tokenizers, const Target& target) {
  require_marian_network(arch, target);
  require_sentence_pieces(tokenizers, target);
}

void write_marian(ExchangedModel& model, const std::string& model_directory, const std::string& output) {
  const Target target{.directory = model_directory, .format = "MarianMT of transformers"};
  const Stacks stacks = require_marian_network(model.arch, target);
  require_sentence_pieces(model.tokenizers, target);
  const MarianOrder order = marian_order(model);
  const NamedTensors tensors = MarianLayout(model, stacks, order).tensors();
  std::filesystem::create_directories(output);
  write_marian_vocabularies(model.tokenizers, order, output);
  write_marian_config(model, stacks, order, output);
  write_as_transformers(output + "/model.safetensors", tensors);
}

}  // namespace heed::interchange
