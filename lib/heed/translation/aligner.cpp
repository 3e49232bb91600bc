#include "heed/translation/aligner.h"

#include <torch/torch.h>

#include "heed/core/counted.h"
#include "heed/core/error.h"
#include "heed/translation/evaluation_mode.h"
#include "heed/translation/line_length.h"

namespace heed::translation {
namespace {

/// int64 [1, length]
at::Tensor row(std::vector<int64_t> ids, at::Device device) {
  return torch::tensor(std::move(ids), torch::kInt64).unsqueeze(0).to(device);
}

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

/// The index of what `option` counts from 1; `otherwise` where it is not given.
int64_t index_of(std::string_view option, std::optional<int64_t> asked, int64_t count, int64_t otherwise) {
  if (!asked) return otherwise;
  if (*asked <= count) return *asked - 1;
  throw ConfigError(std::string(option),
                    "is " + std::to_string(*asked) + ", but this model's attention has " + counted(count, option));
}

/// float [target, source]: what is shown of the one sentence.
at::Tensor shown(const models::Decoded& decoded, const AlignerOptions& options) {
  if (!options.layer && !options.head) return decoded.attention[0];
  const auto layers = std::ssize(decoded.all_attention);
  const auto layer = static_cast<size_t>(index_of("layer", options.layer, layers, layers - 1));
  const at::Tensor heads = decoded.all_attention[layer][0];  // [heads, target, source]
  if (!options.head) return heads.mean(0);
  return heads[index_of("head", options.head, heads.size(0), 0)];
}

}  // namespace

Aligner::Aligner(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, at::Device device,
                 const AlignerOptions& options)
    : model_(std::move(model)), tokenizers_(std::move(tokenizers)), device_(device), options_(options) {
  if (!model_->encoder) throw ConfigError("this model is a language model: it has no source to align with");
  const EvaluationMode evaluation(*model_);
  const c10::InferenceMode no_gradient;
  shown(decode(0, {}, {text::kEos}), options_);  // throws for what this model does not have
}

std::vector<text::Alignment> Aligner::align(std::span<const std::string> sources,
                                            std::span<const std::string> targets) {
  check(sources.size() == targets.size(), "Aligner::align needs as many sources as targets");
  const EvaluationMode evaluation(*model_);
  const c10::InferenceMode no_gradient;
  std::vector<text::Alignment> alignments;
  alignments.reserve(sources.size());
  for (size_t i = 0; i < sources.size(); ++i) alignments.push_back(align_pair(i, sources[i], targets[i]));
  return alignments;
}

models::Decoded Aligner::decode(size_t pair, const text::Ids& source, const text::Ids& target) const {
  std::vector<int64_t> read(source.begin(), source.end());
  read.push_back(text::kEos);
  std::vector<int64_t> said{text::kBos};  // position t of the decoder predicts target token t
  said.insert(said.end(), target.begin(), target.end() - 1);
  check_length(*model_, pair, std::ssize(read), std::ssize(said));
  const models::Memory memory = model_->encode(row(std::move(read), device_));
  const models::Want want{.attention = true, .all_attention = options_.all_heads || options_.layer || options_.head};
  models::Decoded decoded = model_->decoder->forward(row(std::move(said), device_), &memory, want);
  if (!decoded.attention.defined()) throw ConfigError("this model has no attention to show");
  return decoded;
}

text::Alignment Aligner::align_pair(size_t pair, const std::string& source, const std::string& target) {
  const text::Ids source_ids = tokenizers_.source->encode(source);
  const text::Ids target_ids = tokenizers_.target->encode(target);
  const auto units_of = [&](const text::Tokenizer& tokenizer, const text::Ids& ids, const std::string& line) {
    return options_.subwords ? text::token_units(tokenizer, ids) : text::line_units(tokenizer, line);
  };
  const text::AlignmentUnits source_units = units_of(*tokenizers_.source, source_ids, source);
  const text::AlignmentUnits target_units = units_of(*tokenizers_.target, target_ids, target);
  text::Alignment alignment{.source = source_units.names, .target = target_units.names, .weights = {}};
  alignment.weights.resize(alignment.target.size(), std::vector<float>(alignment.source.size()));
  if (source_ids.empty() || target_ids.empty()) return alignment;

  const models::Decoded decoded = decode(pair, source_ids, target_ids);
  const auto merged = [&](const at::Tensor& attention) {
    return text::merged(weights_of(attention), source_units, target_units);
  };
  alignment.weights = merged(shown(decoded, options_));
  if (!options_.all_heads) return alignment;
  for (const at::Tensor& layer : decoded.all_attention) {
    auto& heads = alignment.heads.emplace_back();
    for (int64_t head = 0; head < layer.size(1); ++head) heads.push_back(merged(layer[0][head]));
  }
  return alignment;
}

}  // namespace heed::translation
