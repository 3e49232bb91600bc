#include "heed/training/validator.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/data/batching.h"
#include "heed/data/text_columns.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/error_rates/error_rate.h"
#include "heed/metrics/tokenizers/fitting_tokenizer.h"
#include "heed/training/prediction_scorer.h"
#include "heed/training/update/part_loss.h"
#include "heed/translation/evaluation_mode.h"
#include "heed/translation/lines/read_item.h"
#include "heed/translation/logits_model.h"
#include "heed/translation/predictor.h"

namespace heed::training {

namespace {

/// One column: each line goes on from all lines before it. The steps bound memory; no result depends on them.
constexpr data::TextContext kOneText{.columns = 1, .steps = 256};

search::SearchOptions with_beam(search::SearchOptions search, int64_t beam) {
  search.beam = beam;
  search.n_best = 1;
  return search;
}

/// The `count` longest lines.
std::vector<translation::SourceLine> longest(std::vector<translation::SourceLine> lines, size_t count) {
  const auto length = [](const translation::SourceLine& line) {
    return line.text.size() + static_cast<size_t>(line.item ? line.item->positions : 0);
  };
  std::stable_sort(lines.begin(), lines.end(), [&](const auto& a, const auto& b) { return length(a) > length(b); });
  lines.resize(std::min(lines.size(), count));
  return lines;
}

/// The sources as they are translated, or predicted of.
std::vector<translation::SourceLine> source_lines(const ValidationSet& validation) {
  const data::SourceVectors* vectors = validation.corpus->vectors();
  std::vector<translation::SourceLine> lines;
  for (size_t line = 0; line < validation.source.size(); ++line) {
    lines.push_back({.text = validation.source[line]});
    if (!vectors) continue;
    lines.back().item = translation::read_item(*vectors, static_cast<int64_t>(line), validation.corpus->has_source());
  }
  return lines;
}

void end_if_requested(const StopRequest& stop) {
  if (stop.requested()) throw Stopped();
}

}  // namespace

struct Validator::Translating {
  metrics::Bleu bleu;
  metrics::Chrf chrf;
  ValidationMetric metric;  // that decides
  translation::Translator translator;
  size_t samples;
};

struct Validator::Predicting {
  translation::Predictor predictor;
  PredictionScorer scorer;
};

Validator::Validator(ValidatorSetup setup)
    : model_(std::move(setup.model)),
      validation_(std::move(setup.validation)),
      device_(setup.device),
      batches_(validation_.continuous ? data::text_batches(validation_.corpus, kOneText)
                                      : data::ordered_batches(*validation_.corpus, setup.options.batch_tokens)) {
  if (model_->head) {
    predicting_.reset(new Predicting{.predictor = {model_, setup.tokenizers, {}, device_},
                                     .scorer = {validation_.corpus->target_kind(), validation_.reference}});
  }
  const auto* wanted = std::get_if<TranslateValidText>(&setup.options.translate);
  if (model_->head || wanted) sources_ = source_lines(validation_);
  if (!wanted) return;
  if (!model_->encoder) throw ConfigError("valid.translate", "must be none for a language model");
  translating_.reset(new Translating{
      .bleu = metrics::Bleu(wanted->bleu),
      .chrf = metrics::Chrf(),
      .metric = setup.options.metric,
      .translator = translation::Translator(std::make_shared<translation::LogitsModel>(model_, device_),
                                            setup.tokenizers, with_beam(setup.search, wanted->beam), setup.translator),
      .samples = static_cast<size_t>(wanted->samples)});
  warn_of_tokenizer(wanted->bleu);
  if (setup.tokenizers.source) warn_of_long_lines(*setup.tokenizers.source);
}

Validator::~Validator() = default;

void Validator::warn_of_tokenizer(const metrics::BleuOptions& bleu) const {
  if (bleu.tokenize != metrics::BleuTokenizer::V13a) return;
  if (const auto advice = metrics::advice_against_13a(validation_.reference, "valid.tokenize")) {
    log_warning("the validation text is " + *advice);
  }
}

void Validator::warn_of_long_lines(const text::Tokenizer& tokenizer) const {
  const int64_t limit = translating_->translator.max_source_length();
  const auto count = std::ranges::count_if(
      validation_.source, [&](const std::string& line) { return std::ssize(tokenizer.encode(line)) > limit; });
  if (count == 0) return;
  log_warning(fmt::format("{} of the {} lines of validation text have more than {} tokens: translated in parts", count,
                          translated_lines(), limit));
}

ValidationScores Validator::validate(const StopRequest& stop) const {
  ValidationScores scores;
  const double nll = loss(batches_, stop);
  scores.scores["loss"] = nll;
  if (validation_.corpus->target_kind() != text::TargetKind::Numbers) scores.scores["perplexity"] = std::exp(nll);
  if (predicting_) predict(scores, stop);
  if (translating_) translate(scores, stop);
  return scores;
}

void Validator::rehearse() const {
  loss({batches_.front()}, StopRequest());
  if (translating_) translating_->translator.translate_all(longest(sources_, 4));
  if (predicting_) predicting_->predictor.predict_all(longest(sources_, 4));
}

double Validator::loss(const std::vector<data::Batch>& batches, const StopRequest& stop) const {
  const at::NoGradGuard no_grad;
  const translation::EvaluationMode evaluation(*model_);
  CarriedStates carried(validation_.continuous ? kOneText.columns : 0);
  double sum = 0;
  int64_t tokens = 0;
  for (const data::Batch& batch : batches) {
    end_if_requested(stop);
    sum += part_loss(*model_, batch, device_, {}, &carried).nll.item<double>();
    carried.advance();
    tokens += batch.target_tokens;
  }
  return sum / static_cast<double>(tokens);
}

void Validator::predict(ValidationScores& scores, const StopRequest& stop) const {
  const auto made = predicting_->predictor.predict_all(sources_, [&](int64_t) { end_if_requested(stop); });
  std::vector<std::string> lines;
  for (const translation::Prediction& prediction : made) lines.push_back(predicting_->predictor.text(prediction));
  scores.scores.merge(predicting_->scorer.scores(lines));
}

void Validator::translate(ValidationScores& scores, const StopRequest& stop) const {
  std::vector<std::string> hypotheses;
  const auto on_progress = [&](const translation::TranslationProgress&) { end_if_requested(stop); };
  for (translation::Translation& made : translating_->translator.translate_all(sources_, on_progress)) {
    hypotheses.push_back(std::move(made.text));
  }
  const auto references = metrics::References::from_files({validation_.reference});
  const metrics::Bleu& bleu = translating_->bleu;
  scores.scores["bleu"] = bleu.corpus_score(hypotheses, references).value;
  scores.signature = bleu.signature().text();
  scores.scores["chrf"] = translating_->chrf.corpus_score(hypotheses, references).value;
  scores.chrf_signature = translating_->chrf.signature().text();
  if (is_error_rate(translating_->metric)) {
    const bool words = translating_->metric == ValidationMetric::Wer;
    const metrics::ErrorRate rate(words ? metrics::ErrorUnit::Words : metrics::ErrorUnit::Characters);
    scores.scores[metric_name(translating_->metric)] = rate.corpus_score(hypotheses, references).value;
  }
  const auto count = std::min(translating_->samples, hypotheses.size());
  for (size_t i = 0; i < count; ++i) {
    const size_t line = i * hypotheses.size() / count;
    const std::string source =
        sources_[line].has_item_alone() ? fmt::format("item {}", line + 1) : validation_.source[line];
    scores.samples.push_back({source, validation_.reference[line], hypotheses[line]});
  }
}

}  // namespace heed::training
