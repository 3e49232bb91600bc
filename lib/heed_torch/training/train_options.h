// The options of training: the sections `[train]`, `[valid]` and `[log]`.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heed/architecture/lora_options.h"
#include "heed/core/amount.h"
#include "heed/core/options.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed_torch/nn/random/cutoff.h"
#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/optimization/schedule.h"
#include "heed_torch/training/step/minimum_risk_options.h"
#include "heed_torch/training/step/precision.h"
#include "heed_torch/training/step/sampling_schedule.h"

namespace heed::models {
struct ArchitectureOptions;
}

namespace heed::training {

void describe(OptimizerOptions& o, AnyOptionVisitor auto& visit) { visit.alternatives("type", o, "optimizer"); }
void describe(ScheduleOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("type", o,
                     "schedule after the warm-up: inverse-sqrt (noam: scaled by the model's width); "
                     "linear or cosine to the end of training; wsd: warm-up, stable, decay, constant until the last "
                     "part of training; constant; plateau: times a factor "
                     "when validation stops improving; step: times a factor at regular intervals");
}

/// The mean of the best checkpoints' parameters is a candidate for the final model.
struct AverageOfBest {
  static constexpr std::string_view kName = "best";
  int64_t count = 4;  ///< checkpoints averaged; as many are kept
  bool operator==(const AverageOfBest&) const = default;
};
/// The mean of the newest checkpoints' parameters (Vaswani et al. 2017, section 6.1).
struct AverageOfLast {
  static constexpr std::string_view kName = "last";
  int64_t count = 4;  ///< checkpoints averaged; as many are kept
  bool operator==(const AverageOfLast&) const = default;
};
struct NoAverage {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoAverage&) const = default;
};
template <class Average>
  requires(std::same_as<Average, AverageOfBest> || std::same_as<Average, AverageOfLast>)
void describe(Average& o, AnyOptionVisitor auto& visit) {
  visit("average-count", o.count, "checkpoints that are averaged; as many are kept", at_least(2));
}
void describe(NoAverage&, AnyOptionVisitor auto&) {}

/// All parameters that are not frozen are trained.
struct NoAdapter {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoAdapter&) const = default;
};
void describe(NoAdapter&, AnyOptionVisitor auto&) {}

/// Parameter-efficient fine-tuning: what is trained in place of the model's parameters.
using AdapterOptions = std::variant<NoAdapter, nn::LoraOptions>;
void describe(AdapterOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("type", o, "what is trained in the place of a model's own parameters");
}

struct TrainOptions {
  std::vector<std::string> freeze = {};  ///< parameters that keep their values: see parameter_patterns.h
  AdapterOptions adapter = {};
  OptimizerOptions optimizer = AdamOptions{};
  ScheduleOptions schedule = InverseSqrtSchedule{};
  double ema_decay = 0;          ///< of the moving average of weights, see make_optimizer; 0: none
  double label_smoothing = 0.1;  ///< share of the target's probability spread over the vocabulary; 0: none
  double r_drop = 0;             ///< weight of R-Drop's divergence, see heed_torch/nn/losses/cross_entropy.h; 0: off
  Amount r_drop_start{0};        ///< before this much training, sentences are read once
  nn::CutoffOptions r_drop_cutoff = {};   ///< what R-Drop's second pass does not see
  std::vector<std::string> teacher = {};  ///< model directories: word-level distillation, see cross_entropy.h, too
  double teacher_weight = 0.5;            ///< share of the loss that compares with the teachers
  double teacher_temperature = 1;         ///< of both distributions
  double guided_alignment_weight = 0.1;   ///< of the loss of attention, where pairs have alignments
  MinimumRiskOptions minimum_risk = {};   ///< minimum risk training
  SamplingSchedule sampling = {};         ///< scheduled sampling of a recurrent decoder
  double clip_norm = 1;                   ///< gradients with a larger norm are scaled down to it; 0: no clipping
  Precision precision = Precision::Fp32;  ///< of matrix multiplications; parameters and sums stay fp32
  std::optional<int64_t> replicas = std::nullopt;    ///< copies of the model; absent: one per CPU thread
  std::optional<int64_t> max_steps = std::nullopt;   ///< this and the next three end training; absent: no limit
  std::optional<double> max_epochs = std::nullopt;   ///< passes over the corpus
  std::optional<double> max_tokens = std::nullopt;   ///< target tokens
  std::optional<double> max_minutes = std::nullopt;  ///< of this and all resumed processes
  int64_t max_nonfinite_steps = 20;  ///< steps in a row with a non-finite gradient before training gives up
  std::optional<Amount> save_every = std::nullopt;  ///< checkpoints between validations; absent: at validations only
  int64_t keep_best = 1;                            ///< how many of the best checkpoints stay on disk
  int64_t keep_last = 2;                            ///< and of the newest
  std::variant<AverageOfBest, AverageOfLast, NoAverage> average = {};  ///< of checkpoints, at the end
  bool operator==(const TrainOptions&) const = default;
};
void describe(TrainOptions& o, AnyOptionVisitor auto& visit) {
  visit("freeze", o.freeze,
        "frozen parameters, which keep their values: parts of the model by their names (encoder, decoder.layers.0), or "
        "patterns with * (*.norm.*)");
  visit.section("adapter", o.adapter, "parameter-efficient fine-tuning");
  visit.section("optimizer", o.optimizer, "optimizer");
  visit.section("schedule", o.schedule, "learning rate schedule");
  visit(
      "ema-decay", o.ema_decay,
      "exponential moving average (EMA) of the weights: its decay per step, such as 0.999; validation, checkpoints and "
      "the final model have the average; 0: off",
      between(0, 0.9999999));
  visit("label-smoothing", o.label_smoothing,
        "label smoothing: share of the probability spread evenly over the vocabulary; 0: off", between(0, 0.999));
  visit("r-drop", o.r_drop,
        "R-Drop: weight of the divergence between two passes over each "
        "sentence with different dropout (5 in the paper); 0: off",
        at_least(0));
  visit("r-drop-start", o.r_drop_start,
        "R-Drop begins after this much training (steps, tokens or epochs); before, a step costs half", at_least(0));
  visit.section("r-drop-cutoff", o.r_drop_cutoff, "cutoff in R-Drop's second pass");
  visit(
      "teacher", o.teacher,
      "`DIR...` of teachers: word-level distillation, which compares the model's probabilities of each target token with "
      "the mean of those of models with the same vocabularies");
  visit("teacher-weight", o.teacher_weight, "distillation: share of the loss that compares with the teachers",
        between(0, 1));
  visit("teacher-temperature", o.teacher_temperature,
        "distillation: above 1, unlikely tokens count more in the comparison with the teachers", between(0.01, 100));
  visit("guided-alignment-weight", o.guided_alignment_weight,
        "guided alignment: weight of the loss that compares the attention to the source with `alignments`",
        at_least(0));
  visit.section("minimum-risk", o.minimum_risk, "minimum risk training");
  visit.section("scheduled-sampling", o.sampling, "scheduled sampling");
  visit("clip-norm", o.clip_norm, "gradient clipping: largest norm of the gradient; 0: off", at_least(0));
  visit("precision", o.precision, "number format of matrix multiplications; parameters and sums stay fp32");
  visit("replicas", o.replicas,
        "data parallelism: copies of the model that compute micro-batches of a step at the same time; none: one for "
        "each CPU thread",
        between(1, 256));
  visit("max-steps", o.max_steps, "stop after this many steps", at_least(1));
  visit("max-epochs", o.max_epochs, "stop after this many epochs: passes over the corpus", at_least(0));
  visit("max-tokens", o.max_tokens, "stop after this many target tokens", at_least(0));
  visit("max-minutes", o.max_minutes, "stop after this many minutes of training, interrupted runs of it included",
        at_least(0));
  visit("max-nonfinite-steps", o.max_nonfinite_steps,
        "give up after this many steps in a row whose gradient is not finite", at_least(1));
  visit("save-every", o.save_every, "save checkpoints also between validations, this often; none: at validations only",
        above(0));
  visit("keep-best", o.keep_best, "best checkpoints to keep", at_least(1));
  visit("keep-last", o.keep_last, "newest checkpoints to keep", at_least(1));
  visit.alternatives("average", o.average,
                     "checkpoint averaging at the end: of the best, of the last, or none; with validation "
                     "text the average becomes the model only if it validates better than the best checkpoint");
}

/// What decides which checkpoint is best, when a plateau schedule lowers the rate, and when training stops early.
enum class ValidationMetric { Loss, Perplexity, Bleu, Chrf, Wer, Cer, Accuracy, F1, Mse, Mae };
/// Whether it is the error rate of words or characters. These are computed only if they are valid.metric.
constexpr bool is_error_rate(ValidationMetric metric) {
  return metric == ValidationMetric::Wer || metric == ValidationMetric::Cer;
}
/// Whether it is a score of translations.
constexpr bool is_of_translations(ValidationMetric metric) {
  return metric == ValidationMetric::Bleu || metric == ValidationMetric::Chrf || is_error_rate(metric);
}
/// Whether it is a score of labels.
constexpr bool is_of_labels(ValidationMetric metric) {
  return metric == ValidationMetric::Accuracy || metric == ValidationMetric::F1;
}
/// Whether it is a score of numbers.
constexpr bool is_of_numbers(ValidationMetric metric) {
  return metric == ValidationMetric::Mse || metric == ValidationMetric::Mae;
}
/// Whether it is in percent, from 0 to 100 (an error rate may be above).
constexpr bool is_percentage(ValidationMetric metric) { return is_of_translations(metric) || is_of_labels(metric); }
/// Whether a higher score is better.
constexpr bool is_better_when_higher(ValidationMetric metric) {
  return (is_of_translations(metric) && !is_error_rate(metric)) || is_of_labels(metric);
}
constexpr auto option_names(ValidationMetric) {
  return std::array{
      std::pair{ValidationMetric::Loss, "loss"},         std::pair{ValidationMetric::Perplexity, "perplexity"},
      std::pair{ValidationMetric::Bleu, "bleu"},         std::pair{ValidationMetric::Chrf, "chrf"},
      std::pair{ValidationMetric::Wer, "wer"},           std::pair{ValidationMetric::Cer, "cer"},
      std::pair{ValidationMetric::Accuracy, "accuracy"}, std::pair{ValidationMetric::F1, "f1"},
      std::pair{ValidationMetric::Mse, "mse"},           std::pair{ValidationMetric::Mae, "mae"}};
}

/// Translates the validation text as `heed translate` does, except for the changes of validation_search(). Scores the
/// translations by BLEU, and by chrF with sacreBLEU's defaults.
struct TranslateValidText {
  static constexpr std::string_view kName = "all";
  int64_t beam = 1;     ///< beam of those translations
  int64_t samples = 3;  ///< translations shown
  metrics::BleuOptions bleu = {};
  bool operator==(const TranslateValidText&) const = default;
};
void describe(TranslateValidText& o, AnyOptionVisitor auto& visit) {
  visit("beam", o.beam,
        "beam size in validation, which never samples and has no groups of the beam; 1: greedy, faster than "
        "`heed translate` with search.beam, and as a rule with slightly lower scores",
        between(1, 1000));
  visit("samples", o.samples, "sample translations to show", at_least(0));
  describe(o.bleu, visit);
}
/// Only the loss is computed.
struct NoTranslation {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoTranslation&) const = default;
};
void describe(NoTranslation&, AnyOptionVisitor auto&) {}

struct ValidationOptions {
  ValidationMetric metric = ValidationMetric::Bleu;  ///< decides which checkpoint is best
  Amount every{500};            ///< from one validation (without validation text: one checkpoint) to the next
  int64_t patience = 10;        ///< validations without a better one before training stops; 0: never
  double min_delta = 0;         ///< only a larger improvement counts, in units of the metric
  int64_t batch_tokens = 4000;  ///< target tokens of a batch when the loss is computed
  std::variant<TranslateValidText, NoTranslation> translate = {};  ///< whether validation translates
  bool operator==(const ValidationOptions&) const = default;

  bool translates() const { return std::holds_alternative<TranslateValidText>(translate); }
};
void describe(ValidationOptions& o, AnyOptionVisitor auto& visit) {
  visit(
      "metric", o.metric,
      "validation metric: decides which checkpoint is best and when to stop early; scores in percent (bleu, chrf, wer, "
      "cer, accuracy, f1) are compared as rounded to 0.1, and the lower loss decides between equal ones");
  visit("every", o.every, "interval of validations and checkpoints", above(0));
  visit("patience", o.patience, "early stopping: after this many validations in a row without improvement; 0: off",
        at_least(0));
  visit(
      "min-delta", o.min_delta,
      "smallest improvement that counts for patience and plateau: the score must be better than the best by more than "
      "this; 0: any, and of equal scores a lower loss",
      at_least(0));
  visit("batch-tokens", o.batch_tokens, "batch size of the validation loss, in target tokens", at_least(1));
  visit.alternatives("translate", o.translate, "validation text to translate for BLEU and chrF");
}

struct LogOptions {
  Amount every{100};             ///< from one report to the next
  std::string tensorboard = {};  ///< directory for TensorBoard's event file; empty: none
  bool operator==(const LogOptions&) const = default;
};
void describe(LogOptions& o, AnyOptionVisitor auto& visit) {
  visit("every", o.every, "interval of reports: loss, learning rate and speed", above(0));
  visit("tensorboard", o.tensorboard,
        "`DIR` for an event file of TensorBoard with the curves of the training; one for each training");
}

/// Throws ConfigError if fields contradict each other. `has_validation`: whether there is validation text.
void validate(const TrainOptions& train, const ValidationOptions& valid, const LogOptions& log, bool has_validation);
/// Checks the options for how sentences are read. Throws ConfigError if R-Drop is on and the two passes over a sentence
/// cannot differ, or their attention samples its choices, or if it is off and has other options. Throws ConfigError if
/// scheduled sampling is on and no decoder reads word by word, or if teachers or minimum risk training do not go with
/// what the model reads. `continuous`: whether sentences are read as one text.
void validate_readings(const TrainOptions& train, const models::ArchitectureOptions& architecture, bool continuous);

/// The limit in steps, else the one in tokens, else the one in epochs. Linear, cosine and wsd schedules end there by
/// default, if a limit of minutes does not come first.
std::optional<Amount> training_limit(const TrainOptions& options);

}  // namespace heed::training
