#include "heed/training/validator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <torch/torch.h>

#include "heed/core/error.h"
#include "heed/data/batching.h"
#include "heed/training/part_loss.h"
#include "heed/translation/evaluation_mode.h"

namespace heed::training {

namespace {

search::SearchOptions with_beam(search::SearchOptions search, int64_t beam) {
  search.beam = beam;
  search.n_best = 1;
  return search;
}

/// The `count` longest lines.
std::vector<std::string> longest(std::vector<std::string> lines, size_t count) {
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  lines.resize(std::min(lines.size(), count));
  return lines;
}

}  // namespace

Validator::Validator(std::shared_ptr<models::Model> model, const text::Tokenizers& tokenizers, DevSet dev,
                     const ValidationOptions& options, search::SearchOptions search,
                     const translation::TranslatorOptions& translator, c10::Device device)
    : model_(std::move(model)),
      dev_(std::move(dev)),
      options_(options),
      device_(device),
      bleu_(options.bleu),
      translator_(model_, tokenizers, with_beam(search, options.beam), translator, device),
      batches_(data::ordered_batches(*dev_.corpus, options.batch_tokens)) {
  if (options.translate && !dev_.corpus->has_source()) {
    throw ConfigError("valid.translate", "must be false for a language model");
  }
}

ValidationScores Validator::validate() const {
  ValidationScores scores;
  const double nll = loss(batches_);
  scores.scores = {{"loss", nll}, {"perplexity", std::exp(nll)}};
  if (options_.translate) translate(scores);
  return scores;
}

void Validator::rehearse() const {
  loss({batches_.front()});
  if (options_.translate) translator_.translate(longest(dev_.source, 4));
}

double Validator::loss(const std::vector<data::Batch>& batches) const {
  const at::NoGradGuard no_grad;
  const translation::EvaluationMode evaluation(*model_);
  double sum = 0;
  int64_t tokens = 0;
  for (const data::Batch& batch : batches) {
    sum += part_loss(*model_, batch, device_, /*label_smoothing=*/0).nll.item<double>();
    tokens += batch.target_tokens;
  }
  return sum / static_cast<double>(tokens);
}

void Validator::translate(ValidationScores& scores) const {
  std::vector<std::string> hypotheses;
  for (translation::Translation& made : translator_.translate(dev_.source)) hypotheses.push_back(std::move(made.text));
  const auto references = metrics::References::from_files({dev_.reference});
  scores.scores["bleu"] = bleu_.corpus_score(hypotheses, references).value;
  scores.signature = bleu_.signature().text();
  const auto count = std::min(static_cast<size_t>(options_.samples), hypotheses.size());
  for (size_t i = 0; i < count; ++i) {
    const size_t line = i * hypotheses.size() / count;
    scores.samples.push_back({dev_.source[line], dev_.reference[line], hypotheses[line]});
  }
}

}  // namespace heed::training
