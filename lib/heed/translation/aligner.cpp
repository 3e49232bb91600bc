#include "heed/translation/aligner.h"

#include <algorithm>

#include <torch/torch.h>

#include "heed/core/error.h"
#include "heed/core/unicode.h"
#include "heed/translation/evaluation_mode.h"
#include "heed/translation/line_length.h"

namespace heed::translation {
namespace {

std::vector<std::string> words_of(const text::Tokenizer& tokenizer, const text::Ids& ids) {
  const std::string line = tokenizer.decode(ids);
  const auto views = split_whitespace(line);
  return {views.begin(), views.end()};
}

/// int64 [1, length]
at::Tensor row(std::vector<int64_t> ids, at::Device device) {
  return torch::tensor(std::move(ids), torch::kInt64).unsqueeze(0).to(device);
}

/// Merges subword weights (float [target, source], CPU) to words; words[i] is the word of subword i, -1 for none.
void merge_words(const at::Tensor& attention, const std::vector<int64_t>& source_word,
                 const std::vector<int64_t>& target_word, Alignment& alignment) {
  const auto weight = attention.accessor<float, 2>();
  alignment.weights.assign(alignment.target_words.size(), std::vector<float>(alignment.source_words.size(), 0.0f));
  std::vector<float> subwords(alignment.target_words.size(), 0.0f);
  for (size_t t = 0; t < target_word.size(); ++t) {
    if (target_word[t] < 0) continue;
    const auto word = static_cast<size_t>(target_word[t]);
    subwords[word] += 1.0f;
    for (size_t s = 0; s < source_word.size(); ++s) {
      if (source_word[s] < 0) continue;
      alignment.weights[word][static_cast<size_t>(source_word[s])] += weight[static_cast<int64_t>(t)][static_cast<int64_t>(s)];
    }
  }
  for (size_t word = 0; word < subwords.size(); ++word) {
    for (float& value : alignment.weights[word]) value /= std::max(subwords[word], 1.0f);
  }
}

}  // namespace

std::vector<std::pair<int64_t, int64_t>> Alignment::links() const {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t t = 0; t < weights.size(); ++t) {
    if (weights[t].empty()) continue;
    const auto best = std::max_element(weights[t].begin(), weights[t].end());
    pairs.emplace_back(best - weights[t].begin(), static_cast<int64_t>(t));
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::string pharaoh(const Alignment& alignment) {
  std::string line;
  for (const auto& [source, target] : alignment.links()) {
    if (!line.empty()) line += ' ';
    line.append(std::to_string(source)).append("-").append(std::to_string(target));
  }
  return line;
}

Aligner::Aligner(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, at::Device device)
    : model_(std::move(model)), tokenizers_(std::move(tokenizers)), device_(device) {
  if (!model_->encoder) throw ConfigError("this model is a language model: it has no source to align with");
}

std::vector<Alignment> Aligner::align(std::span<const std::string> sources, std::span<const std::string> targets) {
  check(sources.size() == targets.size(), "Aligner::align needs as many sources as targets");
  const EvaluationMode evaluation(*model_);
  const c10::InferenceMode no_gradient;
  std::vector<Alignment> alignments;
  alignments.reserve(sources.size());
  for (size_t i = 0; i < sources.size(); ++i) alignments.push_back(align_pair(i, sources[i], targets[i]));
  return alignments;
}

Alignment Aligner::align_pair(size_t pair, const std::string& source, const std::string& target) {
  const text::Ids source_ids = tokenizers_.source->encode(source);
  const text::Ids target_ids = tokenizers_.target->encode(target);
  Alignment alignment{.source_words = words_of(*tokenizers_.source, source_ids),
                      .target_words = words_of(*tokenizers_.target, target_ids),
                      .weights = {}};
  if (source_ids.empty() || target_ids.empty()) return alignment;

  std::vector<int64_t> read(source_ids.begin(), source_ids.end());
  read.push_back(text::kEos);
  std::vector<int64_t> said{text::kBos};  // position t of the decoder predicts target token t
  said.insert(said.end(), target_ids.begin(), target_ids.end() - 1);
  check_length(*model_, pair, std::ssize(read), std::ssize(said));
  const models::Memory memory = model_->encode(row(std::move(read), device_));
  const models::Decoded decoded = model_->decoder->forward(row(std::move(said), device_), &memory, {.attention = true});
  if (!decoded.attention.defined()) throw ConfigError("this model has no attention to show");
  merge_words(decoded.attention[0].to(at::kCPU, at::kFloat).contiguous(), tokenizers_.source->words(source_ids),
              tokenizers_.target->words(target_ids), alignment);
  return alignment;
}

}  // namespace heed::translation
