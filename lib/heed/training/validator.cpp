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
#include "heed/metrics/tokenizers/fitting_tokenizer.h"
#include "heed/training/update/part_loss.h"
#include "heed/translation/evaluation_mode.h"
#include "heed/translation/logits_model.h"

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
std::vector<std::string> longest(std::vector<std::string> lines, size_t count) {
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  lines.resize(std::min(lines.size(), count));
  return lines;
}

void end_if_requested(const StopRequest& stop) {
  if (stop.requested()) throw Stopped();
}

}  // namespace

struct Validator::Translating {
  metrics::Bleu bleu;
  metrics::Chrf chrf;
  translation::Translator translator;
  size_t samples;
};

Validator::Validator(ValidatorSetup setup)
    : model_(std::move(setup.model)),
      validation_(std::move(setup.validation)),
      device_(setup.device),
      batches_(validation_.continuous ? data::text_batches(validation_.corpus, kOneText)
                                      : data::ordered_batches(*validation_.corpus, setup.options.batch_tokens)) {
  const auto* wanted = std::get_if<TranslateValidText>(&setup.options.translate);
  if (!wanted) return;
  if (!validation_.corpus->has_source()) throw ConfigError("valid.translate", "must be none for a language model");
  translating_.reset(new Translating{
      .bleu = metrics::Bleu(wanted->bleu),
      .chrf = metrics::Chrf(),
      .translator = translation::Translator(std::make_shared<translation::LogitsModel>(model_, device_),
                                            setup.tokenizers, with_beam(setup.search, wanted->beam), setup.translator),
      .samples = static_cast<size_t>(wanted->samples)});
  warn_of_tokenizer(wanted->bleu);
  warn_of_long_lines(*setup.tokenizers.source);
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
  scores.scores = {{"loss", nll}, {"perplexity", std::exp(nll)}};
  if (translating_) translate(scores, stop);
  return scores;
}

void Validator::rehearse() const {
  loss({batches_.front()}, StopRequest());
  if (translating_) translating_->translator.translate(longest(validation_.source, 4));
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

void Validator::translate(ValidationScores& scores, const StopRequest& stop) const {
  std::vector<std::string> hypotheses;
  const auto on_progress = [&](const translation::TranslationProgress&) { end_if_requested(stop); };
  for (translation::Translation& made : translating_->translator.translate(validation_.source, on_progress)) {
    hypotheses.push_back(std::move(made.text));
  }
  const auto references = metrics::References::from_files({validation_.reference});
  const metrics::Bleu& bleu = translating_->bleu;
  scores.scores["bleu"] = bleu.corpus_score(hypotheses, references).value;
  scores.signature = bleu.signature().text();
  scores.scores["chrf"] = translating_->chrf.corpus_score(hypotheses, references).value;
  scores.chrf_signature = translating_->chrf.signature().text();
  const auto count = std::min(translating_->samples, hypotheses.size());
  for (size_t i = 0; i < count; ++i) {
    const size_t line = i * hypotheses.size() / count;
    scores.samples.push_back({validation_.source[line], validation_.reference[line], hypotheses[line]});
  }
}

}  // namespace heed::training
