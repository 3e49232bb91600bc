#include "heed_torch/translation/forced_attention.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed_torch/nn/transfer.h"
#include "heed_torch/translation/evaluation_mode.h"
#include "heed_torch/translation/lines/source_tensors.h"

namespace heed::translation {
namespace {

/// int64 [1, length]
at::Tensor row(const std::vector<int64_t>& ids) { return torch::tensor(ids, torch::kInt64).unsqueeze(0); }

/// attention: float [target, source]
text::AlignmentWeights weights_of(const at::Tensor& attention) {
  const at::Tensor values = attention.to(at::kCPU, at::kFloat).contiguous();
  text::AlignmentWeights weights;
  for (int64_t t = 0; t < values.size(0); ++t) {
    const float* first = values.const_data_ptr<float>() + t * values.size(1);
    weights.emplace_back(first, first + values.size(1));
  }
  return weights;
}

/// The smallest source item that the model can read; absent if it reads text only.
std::optional<search::SourceItem> least_item(const models::Model& model) {
  const models::VectorOptions& options = model.options().vectors;
  const auto* form = models::form_of(options);
  if (!form) return std::nullopt;
  const GridShape shape{.rows = 1, .columns = 1};
  return search::SourceItem{.shape = shape,
                            .values = std::vector<float>(static_cast<size_t>(*form->width)),
                            .positions = models::shape_left(options, shape).vectors(),
                            .has_text = model.sizes().source > 0};
}

/// Converts an option that counts from 1 into an index; `otherwise` if the option is absent. prefix + kind: its name.
int64_t index_of(const std::string& prefix, std::string_view kind, std::optional<int64_t> asked, int64_t count,
                 int64_t otherwise) {
  if (!asked) return otherwise;
  if (*asked <= count) return *asked - 1;
  throw ConfigError(prefix + std::string(kind),
                    "is " + std::to_string(*asked) + ", but this model's attention has " + counted(count, kind));
}

}  // namespace

ForcedAttention::ForcedAttention(std::shared_ptr<models::Model> model, at::Device device, AttentionSelection shown,
                                 std::string_view prefix)
    : model_(std::move(model)), device_(device), shown_(shown), prefix_(prefix) {
  if (!model_->encoder) throw ConfigError("this model is a language model: it has no source to align with");
  const EvaluationMode evaluation(*model_);
  const c10::InferenceMode no_gradient;
  const auto least = least_item(*model_);
  const models::Decoded decoded = decode({0, {}, least ? &*least : nullptr}, {});
  shown_of(decoded);  // throws if this model does not have the layer or head
  if (!shown_.all_heads) return;
  for (const at::Tensor& layer : decoded.all_attention) heads_.push_back(layer.size(1));
}

text::HeadWeights ForcedAttention::every_head(const text::AlignmentWeights& weights) const {
  text::HeadWeights all;
  for (const int64_t heads : heads_) all.emplace_back(static_cast<size_t>(heads), weights);
  return all;
}

SentenceAttention ForcedAttention::read(const search::SourceSentence& source, const text::Ids& target) const {
  const c10::InferenceMode no_gradient;
  const models::Decoded decoded = decode(source, target);
  SentenceAttention read{.weights = weights_of(shown_of(decoded)), .heads = {}};
  if (!shown_.all_heads) return read;
  for (const at::Tensor& layer : decoded.all_attention) {
    auto& heads = read.heads.emplace_back();
    for (int64_t head = 0; head < layer.size(1); ++head) heads.push_back(weights_of(layer[0][head]));
  }
  return read;
}

models::Decoded ForcedAttention::decode(const search::SourceSentence& source, const text::Ids& target) const {
  const models::Source read = source_tensors(std::span(&source, 1));
  std::vector<int64_t> said{text::kBos};  // position t of the decoder predicts target token t
  if (!target.empty()) said.insert(said.end(), target.begin(), target.end() - 1);
  const auto there = nn::upload({read.tokens, read.vectors.values, row(said)}, device_);
  const models::Memory memory = model_->encode({there[0], {there[1], read.vectors.shapes}});
  const models::RequestedOutputs want{.attention = true, .all_attention = shown_ != AttentionSelection{}};
  models::Decoded decoded = model_->decoder->forward(there[2], &memory, want);
  if (!decoded.attention.defined()) throw ConfigError("this model has no attention to show");
  return decoded;
}

/// The attention to show for the one sentence: float [target, source].
at::Tensor ForcedAttention::shown_of(const models::Decoded& decoded) const {
  if (!shown_.layer && !shown_.head) return decoded.attention[0];
  const auto layers = std::ssize(decoded.all_attention);
  const auto* transformer = std::get_if<models::TransformerDecoderOptions>(&model_->options().decoder.type);
  const int64_t usual = transformer ? transformer->alignment_layer() : layers - 1;
  const auto layer = static_cast<size_t>(index_of(prefix_, "layer", shown_.layer, layers, usual));
  const at::Tensor heads = decoded.all_attention[layer][0];  // [heads, target, source]
  if (!shown_.head) return heads.mean(0);
  return heads[index_of(prefix_, "head", shown_.head, heads.size(0), 0)];
}

}  // namespace heed::translation
