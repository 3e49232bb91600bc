#include "heed_torch/interchange/ctranslate2/ctranslate2.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "heed_torch/interchange/common/layer_parameters.h"
#include "heed_torch/interchange/common/refusal.h"
#include "heed_torch/interchange/ctranslate2/model_file.h"
#include "heed_torch/interchange/ctranslate2/network.h"
#include "heed_torch/interchange/ctranslate2/variables.h"
#include "heed_torch/interchange/ctranslate2/vocabularies.h"
#include "heed_torch/nn/positions/positions.h"

namespace heed::interchange {
namespace {

using at::Tensor;
using checkpoint::NamedTensors;

/// Rows of a table of sinusoids, and so the longest sentence; the same as in CTranslate2's converter of Marian models.
constexpr int64_t kLongest = 2048;

/// Epsilon of the norms; absent if the stack has none.
std::optional<double> epsilon_of(const models::TransformerOptions& stack) {
  if (const auto* pre = std::get_if<models::PreNorm>(&stack.norm_order)) return pre->epsilon;
  if (const auto* post = std::get_if<models::PostNorm>(&stack.norm_order)) return post->epsilon;
  return std::nullopt;
}

void require_stack(const models::TransformerOptions& stack, const std::string& section, const Target& target) {
  require_heads(stack.attention, section, target);
  target.refuse_if(!epsilon_of(stack), fmt::format("no norms (`{}.norm-order` = none)", section));
  const bool none = std::holds_alternative<nn::NoPositions>(stack.positions);
  target.refuse_if(none, fmt::format("no positions (`{}.positions` = none)", section));
}

/// What the writer needs to know of a network that CTranslate2 can hold.
struct CTranslate2Network {
  Stacks stacks;
  double epsilon;  // of all norms
};

/// Throws Refusal.
CTranslate2Network require_ctranslate2_network(const models::ArchitectureOptions& arch, const Target& target) {
  const Stacks stacks = require_transformer(arch, target);
  require_stack(*stacks.encoder, "arch.encoder", target);
  require_stack(*stacks.decoder, "arch.decoder", target);
  const int64_t heads = require_heads(stacks.cross, "arch.decoder.cross", target);
  target.refuse_if(heads != nn::heads_of(stacks.decoder->attention),
                   "another number of heads to the source than in self-attention (`arch.decoder.cross.heads`)");
  const double epsilon = *epsilon_of(*stacks.encoder);
  target.refuse_if(epsilon != *epsilon_of(*stacks.decoder), "two epsilons of norms (`arch.decoder.norm-epsilon`)");
  return {.stacks = stacks, .epsilon = epsilon};
}

/// Writes heed's tensors as CTranslate2's variables.
class VariablesWriter {
 public:
  VariablesWriter(const ExchangedModel& model, const Stacks& stacks, const EntryOrder& order)
      : model_(model),
        order_(order),
        width_(has_sinusoids(stacks) ? DimensionOrder::pairs_to_halves(model.arch.d_model) : DimensionOrder::same()) {
    add_coder("encoder", *stacks.encoder, encoder_parts(*stacks.encoder));
    add_coder("decoder", *stacks.decoder, decoder_parts(*stacks.decoder));
    add_decoder_attributes();
    add_embeddings();
    add_projection();
  }

  NamedTensors variables() { return std::move(made_); }

 private:
  static bool has_sinusoids(const Stacks& stacks) {
    return std::holds_alternative<nn::SinusoidalPositions>(stacks.encoder->positions) ||
           std::holds_alternative<nn::SinusoidalPositions>(stacks.decoder->positions);
  }

  void add_attribute(const std::string& name, double value, at::ScalarType type) {
    made_[name] = at::scalar_tensor(value, at::TensorOptions(type));
  }

  void add_coder(const std::string& coder, const models::TransformerOptions& stack,
                 const std::vector<LayerParameter>& parts) {
    add_attribute(coder + "/num_heads", static_cast<double>(nn::heads_of(stack.attention)), at::kShort);
    add_attribute(coder + "/pre_norm", std::holds_alternative<models::PreNorm>(stack.norm_order) ? 1 : 0, at::kChar);
    add_attribute(coder + "/activation", activation_number(stack.feed_forward.activation), at::kChar);
    add_attribute(coder + "/scale_embeddings", model_.arch.embedding_factor(), at::kFloat);
    add_positions(coder, stack.positions);
    for (const LayerParameter& part : parts) {
      add_part(part);
      if (part.heed.ends_with("attention.output")) add_attention_attributes(part, stack);
    }
  }

  void add_decoder_attributes() {
    add_attribute("encoder/multi_query_attention", 0, at::kChar);
    add_attribute("encoder/embeddings_merge", 0, at::kChar);
    add_attribute("decoder/alignment_layer", -1, at::kShort);
    add_attribute("decoder/alignment_heads", 1, at::kShort);
    add_attribute("decoder/start_from_zero_embedding", order_.has_bos ? 0 : 1, at::kChar);
    for (const char* name : {"alibi", "alibi_use_positive_positions", "scale_alibi"}) {
      add_attribute(std::string("decoder/") + name, 0, at::kChar);
    }
  }

  void add_positions(const std::string& coder, const nn::PositionOptions& positions) {
    const std::string name = coder + "/position_encodings/encodings";
    if (std::holds_alternative<nn::SinusoidalPositions>(positions)) {
      made_[name] = width_(nn::sinusoidal_positions(at::arange(kLongest), model_.arch.d_model, at::kFloat), 1);
    } else if (std::holds_alternative<nn::LearnedPositions>(positions)) {
      made_[name] = width_(model_.tensors.at(coder + ".positions.weight"), 1);
    }
  }

  void add_part(const LayerParameter& part) {
    const auto count = static_cast<int64_t>(part.ctranslate2.size());
    for (const VariableEnding& ending : variable_endings(part.kind)) {
      const auto found = model_.tensors.find(part.heed + ending.heed);
      if (found == model_.tensors.end()) continue;
      const auto variables = reordered(part, found->second, width_).chunk(count);
      for (size_t i = 0; i < part.ctranslate2.size(); ++i)
        made_[part.ctranslate2[i] + ending.ctranslate2] = variables[i];
    }
  }

  /// output: the last projection of the attention.
  void add_attention_attributes(const LayerParameter& output, const models::TransformerOptions& stack) {
    const std::string& map = output.ctranslate2.front();
    const std::string scope = map.substr(0, map.rfind('/') + 1);
    if (!stack.scale_scores) add_attribute(scope + "queries_scale", 1, at::kFloat);
    const auto* rotary = std::get_if<nn::RotaryPositions>(&stack.positions);
    if (rotary == nullptr || !output.heed.ends_with("self_attention.output")) return;
    add_attribute(scope + "rotary_dim", 0, at::kInt);  // all components of a head
    add_attribute(scope + "rotary_interleave", 0, at::kChar);
    add_attribute(scope + "rotary_base", rotary->base, at::kFloat);
  }

  void add_table(const std::string& theirs, const char* ours, const std::vector<int64_t>& ids) {
    made_[theirs] = width_(model_.tensors.at(ours).index_select(0, at::tensor(ids, at::kLong)), 1);
  }

  void add_embeddings() {
    const bool shared = model_.arch.tied_embeddings == models::TiedEmbeddings::All;
    add_table(kSourceTable, shared ? "decoder.embedding.weight" : "encoder.embedding.weight", order_.source);
    add_table(kTargetTable, "decoder.embedding.weight", order_.target);
  }

  /// Leaves out a bias of zeros that only entries without a row here needed.
  void add_projection() {
    const bool tied = model_.arch.tied_embeddings != models::TiedEmbeddings::None;
    add_table(kProjection, tied ? "decoder.embedding.weight" : "output.weight", order_.target);
    const auto bias = model_.tensors.find("output.bias");
    if (bias == model_.tensors.end()) return;
    const Tensor kept = bias->second.index_select(0, at::tensor(order_.target, at::kLong));
    if (kept.size(0) < bias->second.size(0) && !kept.ne(0).any().item<bool>()) return;
    made_[kProjectionBias] = kept;
  }

  const ExchangedModel& model_;
  const EntryOrder& order_;
  DimensionOrder width_;
  NamedTensors made_;
};

}  // namespace

void require_ctranslate2(const models::ArchitectureOptions& arch, const text::Tokenizers&, const Target& target) {
  require_ctranslate2_network(arch, target);
}

void write_ctranslate2(ExchangedModel& model, const std::string& model_directory, const std::string& output) {
  const Target target{.directory = model_directory, .format = "CTranslate2"};
  const auto [stacks, epsilon] = require_ctranslate2_network(model.arch, target);
  const EntryOrder order = entry_order(model);
  const ModelFile file{.specification = kTransformerSpecification,
                       .revision = kTransformerRevision,
                       .tensors = VariablesWriter(model, stacks, order).variables()};
  std::filesystem::create_directories(output);
  write_vocabularies(model.tokenizers, order, epsilon, output);
  write_model_file(output + "/model.bin", file);
}

}  // namespace heed::interchange
