#include "heed_torch/translation/scorer.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>

#include "heed/core/error.h"
#include "heed/engine/forced_scores.h"
#include "heed/search/beam_model.h"
#include "heed/text/placeholders.h"
#include "heed/translation/lines/batch_ends.h"
#include "heed_torch/nn/transfer.h"
#include "heed_torch/search/step_scores.h"
#include "heed_torch/translation/evaluation_mode.h"
#include "heed_torch/translation/lines/jobs.h"
#include "heed_torch/translation/lines/line_length.h"
#include "heed_torch/translation/lines/source_tensors.h"

namespace heed::translation {
namespace {

using at::Tensor;

/// The maximum number of logits in memory. The logits of all positions of a batch would be [positions, vocabulary].
constexpr int64_t kLogitElements = int64_t{1} << 22;

/// log p of each position's target; -inf is a probability of 0. hidden: float [N, d], targets: int64 [N] -> float [N]
/// on the CPU. Throws Error if one is NaN.
Tensor log_probabilities(models::Model& model, const Tensor& hidden, const Tensor& targets) {
  const int64_t rows = std::max<int64_t>(1, kLogitElements / model.sizes().target);
  std::vector<Tensor> parts;
  for (int64_t begin = 0; begin < hidden.size(0); begin += rows) {
    const int64_t end = std::min(begin + rows, hidden.size(0));
    const Tensor logits = model.logits(hidden.slice(0, begin, end)).to(at::kFloat);
    const Tensor chosen = logits.gather(1, targets.slice(0, begin, end).unsqueeze(1));
    parts.push_back((chosen - search::logsumexp(logits)).squeeze(1));
  }
  Tensor all = at::cat(parts).to(at::kCPU).contiguous();
  if (at::isnan(all).any().item<bool>()) throw Error(search::kNotNumbers);
  return all;
}

std::vector<text::Ids> encoded(const text::Tokenizer& tokenizer, std::span<const std::string> targets) {
  std::vector<text::Ids> ids;
  ids.reserve(targets.size());
  for (const std::string& line : targets) {
    ids.push_back(encode_line(tokenizer, line, ids.size(), LineTooLong::Side::Target));
  }
  return ids;
}

/// The ids of both sides of a pair.
std::pair<text::Ids, text::Ids> encoded_pair(const text::Tokenizers& tokenizers, std::string source, std::string target,
                                             size_t pair) {
  if (tokenizers.placeholders) tokenizers.placeholders->mask_pair(source, target);
  text::Ids source_ids;
  if (tokenizers.source) source_ids = encode_line(*tokenizers.source, source, pair, LineTooLong::Side::Source);
  return {std::move(source_ids), encode_line(*tokenizers.target, target, pair, LineTooLong::Side::Target)};
}

}  // namespace

void require_reading_on(const models::Model& model, const std::string& option) {
  if (!model.encoder && model.decoder->reads_on()) return;
  throw ConfigError(option,
                    "must be sentence, except for a language model with a recurrent decoder that has no memory tape");
}

struct Scorer::Pair {
  size_t index;
  std::span<const int32_t> source, target;
  const search::SourceItem* item = nullptr;
  search::SourceSentence sentence() const { return {0, source, item}; }
  size_t length() const { return static_cast<size_t>(sentence().length()) + target.size() + 2; }
};

Scorer::Scorer(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, const ScorerOptions& options,
               at::Device device)
    : model_(std::move(model)), tokenizers_(std::move(tokenizers)), options_(options), device_(device) {
  const bool reads_text = model_ && model_->encoder && model_->sizes().source > 0;
  check(model_ && reads_text == (tokenizers_.source != nullptr) && tokenizers_.target,
        "a scorer needs a tokenizer for each text of its model");
}

std::vector<ScoredTranslation> Scorer::score(std::span<const std::string> sources,
                                             std::span<const std::string> targets) const {
  if (!tokenizers_.source) return score(std::span<const text::Ids>(), encoded(*tokenizers_.target, targets));
  check(sources.size() == targets.size(), "every source must have a target");
  std::vector<text::Ids> source_ids, target_ids;
  for (size_t i = 0; i < targets.size(); ++i) {
    auto [source, target] = encoded_pair(tokenizers_, sources[i], targets[i], i);
    source_ids.push_back(std::move(source));
    target_ids.push_back(std::move(target));
  }
  return score(source_ids, target_ids);
}

std::vector<ScoredTranslation> Scorer::score(std::span<const text::Ids> sources,
                                             std::span<const text::Ids> targets) const {
  check(sources.size() == (model_->encoder ? targets.size() : 0), "every source must have a target");
  std::vector<Pair> pairs;
  for (size_t i = 0; i < targets.size(); ++i) {
    pairs.push_back({i, sources.empty() ? std::span<const int32_t>() : std::span(sources[i]), targets[i]});
  }
  return score_pairs(std::move(pairs));
}

std::vector<ScoredTranslation> Scorer::score_all(std::span<const SourceLine> sources,
                                                 std::span<const std::string> targets) const {
  check(sources.size() == targets.size(), "every source must have a target");
  std::vector<std::pair<text::Ids, text::Ids>> read;
  for (size_t i = 0; i < targets.size(); ++i) {
    read.push_back(encoded_pair(tokenizers_, sources[i].text, targets[i], i));
  }
  std::vector<Pair> pairs;
  for (size_t i = 0; i < targets.size(); ++i)
    pairs.push_back({i, read[i].first, read[i].second, sources[i].item.get()});
  return score_pairs(std::move(pairs));
}

std::vector<ScoredTranslation> Scorer::score_pairs(std::vector<Pair> pairs) const {
  const EvaluationMode evaluation(*model_);
  for (const Pair& pair : pairs) {
    check_length(*model_, pair.index, pair.sentence().positions(), std::ssize(pair.target) + 1);  // one more for bos
  }
  std::ranges::stable_sort(pairs, std::greater{}, &Pair::length);
  std::vector<size_t> lengths;
  for (const Pair& pair : pairs) lengths.push_back(pair.length());
  const auto ends = batch_ends(lengths, options_.batch_tokens);
  std::vector<ScoredTranslation> scored(pairs.size());
  run_jobs(worker_count(options_.workers, device_), std::ssize(ends), [&](int64_t job) {
    const auto batch = static_cast<size_t>(job);
    const size_t begin = batch == 0 ? 0 : ends[batch - 1];
    const auto part = std::span(pairs).subspan(begin, ends[batch] - begin);
    if (part.size() > 1) return score_batch(part, scored);
    within_memory(part[0].index, part[0].sentence().length(), std::ssize(part[0].target),
                  [&] { score_batch(part, scored); });
  });
  return scored;
}

std::vector<ScoredTranslation> Scorer::score_text(std::span<const std::string> lines,
                                                  std::vector<models::CellState>& carried) const {
  require_reading_on(*model_, "context");
  const EvaluationMode evaluation(*model_);
  const c10::InferenceMode guard;
  std::vector<ScoredTranslation> scored;
  for (const text::Ids& ids : encoded(*tokenizers_.target, lines)) {
    if (ids.empty()) {
      scored.emplace_back();
      continue;
    }
    std::vector<int64_t> row{text::kBos};
    row.insert(row.end(), ids.begin(), ids.end());
    row.push_back(text::kEos);
    const Tensor line = nn::upload(at::tensor(row, at::kLong), device_);
    // The decoder also reads end-of-sentence, since the next line follows it, as in training.
    const Tensor hidden = model_->decoder->read_on(line.unsqueeze(0), carried).hidden.squeeze(0);
    const Tensor scores = log_probabilities(*model_, hidden.slice(0, 0, -1), line.slice(0, 1));
    const auto* value = scores.const_data_ptr<float>();
    scored.push_back({.log_probability = std::accumulate(value, value + scores.size(0), 0.0),
                      .token_log_probabilities = std::vector<float>(value, value + scores.size(0))});
  }
  return scored;
}

void Scorer::score_on_engine(std::span<const Pair> pairs, std::span<ScoredTranslation> scored) const {
  std::vector<engine::ForcedTarget> targets;
  for (const Pair& pair : pairs) targets.push_back({pair.source, pair.target});
  std::vector<std::vector<float>> found = engine::score_targets(*engine_, targets);
  for (size_t i = 0; i < pairs.size(); ++i) {
    ScoredTranslation& result = scored[pairs[i].index];
    result.token_log_probabilities = std::move(found[i]);
    result.log_probability =
        std::accumulate(result.token_log_probabilities.begin(), result.token_log_probabilities.end(), 0.0);
  }
}

void Scorer::score_batch(std::span<const Pair> pairs, std::span<ScoredTranslation> scored) const {
  if (engine_) return score_on_engine(pairs, scored);
  const c10::InferenceMode guard;
  std::vector<search::SourceSentence> sources, targets;
  for (const Pair& pair : pairs) {
    sources.push_back(pair.sentence());
    targets.push_back({0, pair.target});
  }
  const Tensor targets_here = source_matrix(targets);
  const Tensor places_here = targets_here.flatten().ne(text::kPad).nonzero().squeeze(1);
  const models::Source here = model_->encoder ? source_tensors(sources) : models::Source(Tensor());
  const auto there = nn::upload({here.tokens, here.vectors.values, targets_here, places_here}, device_);
  const Tensor &predicted = there[2], &places = there[3];  // [S, target]: ids, eos, padding
  models::Memory memory;
  if (model_->encoder) memory = model_->encode({there[0], {there[1], here.vectors.shapes}});
  const Tensor bos = at::full({predicted.size(0), 1}, text::kBos, predicted.options());
  const Tensor input = at::cat({bos, predicted.slice(1, 0, -1)}, 1);
  const Tensor hidden = model_->decoder->forward(input, model_->encoder ? &memory : nullptr).hidden;  // [S, target, d]
  const Tensor scores = log_probabilities(*model_, hidden.flatten(0, 1).index_select(0, places),
                                          predicted.flatten().index_select(0, places));
  const auto* value = scores.const_data_ptr<float>();
  for (const Pair& pair : pairs) {
    ScoredTranslation& result = scored[pair.index];
    result.token_log_probabilities.assign(value, value + pair.target.size() + 1);
    result.log_probability = std::accumulate(value, value + pair.target.size() + 1, 0.0);
    value += pair.target.size() + 1;
  }
}

}  // namespace heed::translation
