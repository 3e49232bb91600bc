#include "heed_torch/training/validator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <mutex>
#include <numeric>
#include <sstream>
#include <variant>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/data/batches/batching.h"
#include "heed/data/batches/continuous_text.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/error_rates/error_rate.h"
#include "heed/metrics/tokenizers/fitting_tokenizer.h"
#include "heed/translation/lines/read_item.h"
#include "heed_torch/training/frequency_loss.h"
#include "heed_torch/training/prediction_scorer.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "heed_torch/training/validation_search.h"
#include "heed_torch/translation/ensemble_model.h"
#include "heed_torch/translation/evaluation_mode.h"
#include "heed_torch/translation/predictor.h"

namespace heed::training {

namespace {

/// One column: each line continues all lines before it. `steps` only bounds memory; no result depends on it.
constexpr data::TextContext kOneText{.columns = 1, .steps = 256};

size_t length(const translation::SourceLine& line) {
  return line.text.size() + static_cast<size_t>(line.item ? line.item->positions : 0);
}

/// Whether the attention of a line's translation is small enough to be shown as a map.
bool is_shown(const translation::SourceLine& line) {
  constexpr size_t kLongest = 200;  // bytes
  return !line.item && !line.text.empty() && line.text.size() <= kLongest;
}

/// The `count` longest lines.
std::vector<translation::SourceLine> longest(std::vector<translation::SourceLine> lines, size_t count) {
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return length(a) > length(b); });
  lines.resize(std::min(lines.size(), count));
  return lines;
}

/// The lines' numbers, dealt to blocks of similar cost. The blocks do not depend on which rank translates them, because
/// lines translated together share their rounding.
std::vector<std::vector<size_t>> blocks_of(const std::vector<translation::SourceLine>& lines) {
  constexpr size_t kLines = 256;  // per block, at most
  std::vector<size_t> order(lines.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](size_t line) { return length(lines[line]); });
  std::vector<std::vector<size_t>> blocks((lines.size() + kLines - 1) / kLines);
  for (size_t i = 0; i < order.size(); ++i) blocks[i % blocks.size()].push_back(order[i]);
  return blocks;
}

/// The sources as they are translated or predicted.
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

}  // namespace

struct Validator::Translating {
  metrics::Bleu bleu;
  metrics::Chrf chrf;
  ValidationMetric metric;  // valid.metric
  translation::Translator translator;
  std::optional<translation::Translator> aligner;  // keeps the attention; absent: the decoder has none
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
      ranks_(std::move(setup.ranks)),
      batches_(validation_.continuous ? data::text_batches(validation_.corpus, kOneText)
                                      : data::ordered_batches(*validation_.corpus, setup.options.batch_tokens)) {
  if (model_->head) {
    predicting_.reset(new Predicting{.predictor = {model_, setup.tokenizers, {}, device_},
                                     .scorer = {model_->options().head, validation_.reference}});
  }
  const auto* wanted = std::get_if<TranslateValidText>(&setup.options.translate);
  if (model_->head || wanted) sources_ = source_lines(validation_);
  blocks_ = blocks_of(sources_);
  if (!wanted) return;
  if (!model_->encoder) throw ConfigError("valid.translate", "must be none for a language model");
  const auto network = std::make_shared<translation::EnsembleModel>(model_, device_);
  const auto translator = [&](search::ReturnOptions keep) {
    return translation::Translator(network, setup.tokenizers, validation_search(setup.search, wanted->beam),
                                   setup.translator, keep);
  };
  translating_.reset(new Translating{.bleu = metrics::Bleu(wanted->bleu),
                                     .chrf = metrics::Chrf(),
                                     .metric = setup.options.metric,
                                     .translator = translator({}),
                                     .aligner = std::nullopt,
                                     .samples = static_cast<size_t>(wanted->samples)});
  if (models::has_source_attention(model_->options())) translating_->aligner.emplace(translator({.attention = true}));
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
  const double nll = loss(stop);
  scores.scores["loss"] = nll;
  const bool is_likelihood = !std::holds_alternative<data::NumberTargets>(batches_.front().target);
  if (is_likelihood) scores.scores["perplexity"] = std::exp(nll);
  if (predicting_) predict(scores, stop);
  if (translating_) translate(scores, stop);
  return scores;
}

void Validator::rehearse() const {
  RecurrentStates carried(validation_.continuous ? kOneText.columns : 0);
  part_of_loss(batches_.front(), &carried);
  if (translating_) translating_->translator.translate(longest(sources_, 4));
  if (predicting_) predicting_->predictor.predict_all(longest(sources_, 4));
}

double Validator::part_of_loss(const data::MicroBatch& batch, RecurrentStates* carried) const {
  const at::NoGradGuard no_grad;
  const translation::EvaluationMode evaluation(*model_);
  return part_loss(*model_, batch, device_, {}, carried).nll.item<double>();
}

double Validator::loss(const StopRequest& stop) const {
  RecurrentStates carried(validation_.continuous ? kOneText.columns : 0);
  std::vector<double> sums(batches_.size() + 1, 0);  // one per batch, and a last one: whether a rank was stopped
  int64_t tokens = 0;
  for (size_t batch = 0; batch < batches_.size(); ++batch) {
    tokens += batches_[batch].target_tokens;
    if (sums.back() > 0 || !is_ours(batch)) continue;
    sums[batch] = part_of_loss(batches_[batch], &carried);
    carried.advance();
    listener_(static_cast<int64_t>(batch) + 1, std::ssize(batches_), "batches");
    if (stop.requested()) sums.back() = 1;
  }
  sums = ranks_->add(std::move(sums));
  if (sums.back() > 0) throw Stopped();
  return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(tokens);
}

std::optional<double> Validator::frequency_loss() const { return training::frequency_loss(*validation_.corpus); }

bool Validator::is_ours(size_t number) const {
  return number % static_cast<size_t>(ranks_->size()) == static_cast<size_t>(ranks_->rank());
}

/// The texts of this rank's blocks, one per line, in order of the blocks; nothing if it was stopped.
std::optional<std::string> Validator::make_own_texts(const MakeTexts& make, const StopRequest& stop) const {
  std::string made;
  int64_t all = 0, done = 0;
  for (size_t block = 0; block < blocks_.size(); ++block) all += is_ours(block) ? std::ssize(blocks_[block]) : 0;
  const OnLines on_lines = [&](int64_t lines) {
    if (stop.requested()) throw Stopped();
    listener_(std::min(done + lines, all), all, "lines");  // a line that is split counts several times
  };
  try {
    for (size_t block = 0; block < blocks_.size(); ++block) {
      if (!is_ours(block)) continue;
      std::vector<translation::SourceLine> lines;
      for (const size_t line : blocks_[block]) lines.push_back(sources_[line]);
      for (const std::string& text : make(lines, on_lines)) made += text + '\n';
      done += std::ssize(lines);
    }
  } catch (const Stopped&) {
    return std::nullopt;
  }
  return made;
}

std::vector<std::string> Validator::make_texts(const MakeTexts& make, const StopRequest& stop) const {
  constexpr std::string_view kStopped = "stopped";  // no line break at its end, so it is not a line of text
  std::vector<std::istringstream> made;             // one per rank
  for (const std::string& texts : ranks_->gather(make_own_texts(make, stop).value_or(std::string(kStopped)))) {
    if (texts == kStopped) throw Stopped();
    made.emplace_back(texts);
  }
  std::vector<std::string> texts(sources_.size());
  for (size_t block = 0; block < blocks_.size(); ++block) {
    for (const size_t line : blocks_[block]) std::getline(made[block % made.size()], texts[line]);
  }
  return texts;
}

void Validator::predict(ValidationScores& scores, const StopRequest& stop) const {
  const MakeTexts make = [this](const auto& sources, const OnLines& on_lines) {
    std::vector<std::string> lines;
    std::mutex mutex;  // workers call at the same time
    int64_t predicted = 0;
    const auto made = predicting_->predictor.predict_all(sources, [&](int64_t more) {
      const std::lock_guard lock(mutex);
      on_lines(predicted += more);
    });
    for (const translation::Prediction& prediction : made) lines.push_back(predicting_->predictor.text(prediction));
    return lines;
  };
  scores.scores.merge(predicting_->scorer.scores(make_texts(make, stop)));
}

/// The attention of a line's translation; no weights: the decoder has none.
text::Alignment Validator::attention_of(size_t line) const {
  if (!translating_->aligner || !ranks_->leads()) return {};
  return word_alignment(translating_->aligner->translate({&sources_[line], 1}).front());
}

void Validator::translate(ValidationScores& scores, const StopRequest& stop) const {
  const MakeTexts make = [this](const auto& sources, const OnLines& on_lines) {
    std::vector<std::string> lines;
    const auto on_progress = [&](const translation::TranslationProgress& progress) { on_lines(progress.lines); };
    for (translation::Translation& made : translating_->translator.translate(sources, on_progress)) {
      lines.push_back(std::move(made.text));
    }
    return lines;
  };
  std::vector<std::string> hypotheses = make_texts(make, stop);
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
  std::optional<size_t> align;  // the line whose attention is reported
  for (size_t i = 0; i < count; ++i) {
    const size_t line = i * hypotheses.size() / count;
    const std::string source =
        sources_[line].has_item_alone() ? fmt::format("item {}", line + 1) : validation_.source[line];
    scores.samples.push_back({source, validation_.reference[line], hypotheses[line]});
    if (!align && is_shown(sources_[line])) align = line;
    if (align == line) scores.samples.back().attention = attention_of(line);
  }
  scores.translations = std::move(hypotheses);
  scores.references = validation_.reference;
}

}  // namespace heed::training
