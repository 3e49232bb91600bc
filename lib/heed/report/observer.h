// What training reports while it runs. The library writes nowhere itself: report/ has the observers of the terminal
// and of the JSON lines.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/amount.h"
#include "heed/data/overlap/overlap_counts.h"
#include "heed/report/training_clock.h"
#include "heed/text/tokenizer.h"

namespace heed::training {

/// Seconds spent in each part of the updates since the last report; `data` is waiting for data only, `exchange` for
/// what other ranks send.
struct TimeSplit {
  double data = 0, forward = 0, backward = 0, exchange = 0, update = 0;
  double whole() const { return data + forward + backward + exchange + update; }
  bool operator==(const TimeSplit&) const = default;
};

/// Figures of the updates since the last report.
struct TrainingReport {
  Progress progress = {};    ///< since the start of training
  int64_t epoch = 1;         ///< the current one, from 1
  double objective = 0;      ///< what is minimized, natural-log, per target token: the loss smoothed, with R-Drop
  double loss = 0;           ///< minus the mean log-probability of a target token, natural-log
  double learning_rate = 0;  ///< of the last update
  int64_t bytes_sent = 0;    ///< of gradients, by this rank since its start, to others
  double gradient_norm = 0;  ///< of the last update, before clipping
  double source_tokens_per_second = 0;
  double target_tokens_per_second = 0;
  TimeSplit time = {};
  double elapsed_seconds = 0;     ///< since the start of training, validation included, over all resumed processes
  double remaining_seconds = -1;  ///< estimated from the limits; negative when there is none
  int64_t skipped_updates = 0;    ///< non-finite gradients, since the start
};

struct SampleTranslation {
  std::string source, reference, hypothesis;
};

/// One validation. Scores by name: "loss", "perplexity", "bleu", "chrf".
struct ValidationReport {
  Progress progress = {};
  int64_t epoch = 1;
  std::map<std::string, double> scores;
  std::string signature;            ///< of BLEU; empty without it
  std::string chrf_signature = {};  ///< likewise
  std::string stopping_metric;
  bool best = false;
  bool best_by_loss = false;   ///< its score equals the best before (rounded_rank), and its loss is lower
  int64_t since_best = 0;      ///< validations since the best one
  int64_t patience = 0;        ///< 0: no early stopping
  double seconds = 0;          ///< that validating took
  double elapsed_seconds = 0;  ///< since the start of training, validation included, over all resumed processes
  std::vector<SampleTranslation> samples;
};

/// How far a long validation is.
struct ValidatingReport {
  Progress progress = {};
  int64_t done = 0;
  int64_t all = 0;
  std::string_view things;  ///< "batches" of the loss, "lines" that are translated or predicted of
};

/// Facts known before the first update.
struct StartReport {
  int64_t parameters = 0;         ///< that are trained
  int64_t frozen_parameters = 0;  ///< of the model, that keep their values; with LoRA all but those trained beside it
  int64_t lora_parameters = 0;    ///< of those that are trained
  std::optional<int64_t> pairs = 0;  ///< of a language model: lines; absent: nobody knows, of text that is read once
  std::optional<data::OverlapCounts> overlap = {};  ///< what the training text has twice, and of the validation text
  int64_t valid_pairs = 0;                          ///< likewise: what validation's loss is of
  int64_t valid_translated = 0;    ///< lines that validation translates: the pairs, and those of no length for training
  int64_t valid_beam = 0;          ///< of those translations; 0: there are none
  std::string translation_search;  ///< how the model translates later: "search.beam 5"
  std::string device;
  int64_t threads = 0;
  int64_t replicas = 1;
  int64_t ranks = 1;            ///< each with so many threads and replicas
  std::string products;         ///< what multiplies matrices, such as "float32 products by oneDNN"
  bool language_model = false;  ///< of lines; otherwise of pairs
  text::TargetKind learned = text::TargetKind::Text;  ///< of numbers, the loss is an error, without perplexity
  bool resumed = false;
  Progress progress = {};  ///< where a resumed training goes on
};

/// An option with which a training goes on otherwise than before.
struct OptionChange {
  std::string option;       ///< "arch.dropout"
  std::string before = {};  ///< its values as text; empty: it did not apply
  std::string now = {};
  std::string effect = {};  ///< what else follows, in words: "the best so far is looked for anew"; empty: nothing
  bool operator==(const OptionChange&) const = default;
};

/// One of the models that may become the result.
struct Candidate {
  std::string name;                      ///< "best", "averaged" or "last"
  std::vector<int64_t> updates;          ///< the checkpoints it is made of
  std::map<std::string, double> scores;  ///< of validation, by name; empty without validation text
};

/// The validation loss of a model, and the one, close to it, of knowing only how frequent each token is.
struct LittleLearned {
  double loss = 0;
  double frequency_loss = 0;  ///< see frequency_loss.h
};

/// What became model.safetensors.
struct FinalReport {
  Progress progress = {};
  std::string chosen;  ///< the name of a candidate
  std::vector<Candidate> candidates;
  std::string metric;  ///< that decided
  TimeSpent spent = {};
  bool still_improving = false;  ///< a limit ended training, and the last of several validations was the best
  std::optional<LittleLearned> learned_little = std::nullopt;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_start(const StartReport&) {}
  /// After on_start, for each option that has changed since the start before.
  virtual void on_change(const OptionChange&, const Progress&) {}
  virtual void on_training(const TrainingReport&) {}
  /// In between, if nothing was reported for long: the figures so far of what the next on_training reports.
  virtual void on_progress(const TrainingReport&) {}
  /// Likewise during a validation.
  virtual void on_validating(const ValidatingReport&) {}
  /// `forecast`: what the first limit amounts to, one plain sentence (forecast.h). Once, after the first updates.
  virtual void on_forecast(const std::string& forecast) { static_cast<void>(forecast); }
  virtual void on_validation(const ValidationReport&) {}
  /// All of a checkpoint is on the disk except its name, `path`. What must be there before it is written now.
  virtual void before_checkpoint(const std::string& path, const Progress&) { static_cast<void>(path); }
  virtual void on_checkpoint(const std::string& path, const Progress&) { static_cast<void>(path); }
  virtual void on_finish(const FinalReport&) {}
  virtual void on_warning(const std::string& message) { static_cast<void>(message); }
  /// Another observer cannot report any more; the log has this message already.
  virtual void on_failed_observer(const std::string& message) { static_cast<void>(message); }
  /// `reason`: one plain sentence, such as "no better bleu in 10 validations".
  virtual void on_stop(const std::string& reason, const Progress&) { static_cast<void>(reason); }
};

}  // namespace heed::training
