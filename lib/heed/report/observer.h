// What training reports while it runs. The training library itself writes nothing; the observers in report/ write to
// the terminal and to JSON lines.
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
#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"

namespace heed::training {

/// Seconds spent in each phase of the training steps since the last report. `data` is only the time waiting for data,
/// `exchange` the time waiting for other ranks.
struct TimeSplit {
  double data = 0, forward = 0, backward = 0, exchange = 0, optimizer = 0;
  double whole() const { return data + forward + backward + exchange + optimizer; }
  bool operator==(const TimeSplit&) const = default;
};

/// Figures of the training steps since the last report.
struct TrainingReport {
  Progress progress = {};    ///< since the start of training
  int64_t epoch = 1;         ///< the current one, from 1
  double objective = 0;      ///< the minimized objective per target token, in nats, with label smoothing and R-Drop
  double loss = 0;           ///< cross-entropy per target token, in nats
  double learning_rate = 0;  ///< of the last training step
  int64_t bytes_sent = 0;    ///< gradient bytes that this rank has sent to others since it started
  double gradient_norm = 0;  ///< of the last training step, before clipping
  double source_tokens_per_second = 0;
  double target_tokens_per_second = 0;
  TimeSplit time = {};
  double elapsed_seconds = 0;     ///< since the start of training, including validation, over all resumed processes
  double remaining_seconds = -1;  ///< estimated from the limits; negative without a limit
  int64_t skipped_steps = 0;      ///< training steps skipped since the start because of non-finite gradients
};

struct SampleTranslation {
  std::string source, reference, hypothesis;
  text::Alignment attention = {};  ///< of the words of the hypothesis to those of the source; no weights: not known
};

/// The result of a validation. Names of scores: "loss", "perplexity", "bleu", "chrf".
struct ValidationReport {
  Progress progress = {};
  int64_t epoch = 1;
  std::map<std::string, double> scores;
  std::string signature;            ///< of BLEU; empty without BLEU
  std::string chrf_signature = {};  ///< of chrF; empty without chrF
  std::string stopping_metric;
  bool best = false;
  bool best_by_loss = false;   ///< its rounded score equals the best so far (rounded_score), but its loss is lower
  int64_t since_best = 0;      ///< validations since the best one
  int64_t patience = 0;        ///< early stopping after this many; 0: no early stopping
  double seconds = 0;          ///< duration of this validation
  double elapsed_seconds = 0;  ///< since the start of training, including validation, over all resumed processes
  std::vector<SampleTranslation> samples;
  std::vector<std::string> translations = {};  ///< of all lines of the validation text; empty: it is not translated
  std::vector<std::string> references = {};    ///< of these lines
};

/// The progress of a long validation.
struct ValidatingReport {
  Progress progress = {};
  int64_t done = 0;
  int64_t all = 0;
  std::string_view things;  ///< "batches" for the loss; "lines" to translate or predict
};

/// Facts known before the first training step.
struct StartReport {
  int64_t parameters = 0;            ///< trained parameters
  int64_t frozen_parameters = 0;     ///< parameters of the model that are not trained; with LoRA, all except those
                                     ///< trained in addition to LoRA's
  int64_t lora_parameters = 0;       ///< number of trained parameters that are LoRA's
  std::optional<int64_t> pairs = 0;  ///< lines for a language model; absent: unknown, because the text is read only
                                     ///< once
  std::optional<data::OverlapCounts> overlap = {};  ///< duplicates in the training text and overlap with the validation
                                                    ///< text
  int64_t valid_pairs = 0;                          ///< pairs (or lines) of validation text that the loss uses
  int64_t valid_translated = 0;    ///< lines that validation translates, including those outside the training limits of
                                   ///< length
  int64_t valid_beam = 0;          ///< beam size of these translations; 0: none
  std::string translation_search;  ///< the search options of later translation: "search.beam 5"
  std::string device;
  int64_t threads = 0;
  int64_t replicas = 1;
  int64_t ranks = 1;                  ///< each with these threads and replicas
  std::string products;               ///< how matrices are multiplied: the precision and the library
  bool language_model = false;        ///< counts lines instead of pairs
  text::Target target = text::Ids{};  ///< empty: only its type matters, which is the unit of the loss
  bool resumed = false;
  Progress progress = {};  ///< where a resumed training continues
};

/// An option that has changed since the training was interrupted.
struct OptionChange {
  std::string option;       ///< "arch.dropout"
  std::string before = {};  ///< the value as text; empty: the option did not apply
  std::string now = {};
  std::string effect = {};  ///< further consequences, as a sentence; empty: none
  bool operator==(const OptionChange&) const = default;
};

/// One of the models that may become the final model.
struct Candidate {
  std::string name;                      ///< "best", "averaged" or "last"
  std::vector<int64_t> steps;            ///< the training steps of its checkpoints
  std::map<std::string, double> scores;  ///< validation scores by name; empty without validation text
};

/// A model that has learned little: its validation loss is close to that of predicting tokens by their frequency.
struct LittleLearned {
  double loss = 0;
  double frequency_loss = 0;  ///< see frequency_loss.h
};

/// The model that became model.safetensors.
struct FinalReport {
  Progress progress = {};
  std::string chosen;  ///< the name of a candidate
  std::vector<Candidate> candidates;
  std::string metric;  ///< by which it was chosen
  TimeSpent spent = {};
  bool still_improving = false;  ///< a limit ended training, and the last of several validations was the best
  std::optional<LittleLearned> learned_little = std::nullopt;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_start(const StartReport&) {}
  /// Called after on_start, for each option that has changed since the last start.
  virtual void on_change(const OptionChange&, const Progress&) {}
  virtual void on_training(const TrainingReport&) {}
  /// Called if nothing was reported for a long time: the figures so far for the next on_training.
  virtual void on_progress(const TrainingReport&) {}
  /// Called if nothing was reported for a long time during a validation.
  virtual void on_validating(const ValidatingReport&) {}
  /// `forecast`: what the first limit amounts to, as one sentence (limits.h). Called once, after the first training
  /// steps.
  virtual void on_forecast(const std::string& forecast) { static_cast<void>(forecast); }
  virtual void on_validation(const ValidationReport&) {}
  /// Called when a checkpoint is on disk except for its final name, `path`. Observers write here what must be on disk
  /// before the checkpoint.
  virtual void before_checkpoint(const std::string& path, const Progress&) { static_cast<void>(path); }
  virtual void on_checkpoint(const std::string& path, const Progress&) { static_cast<void>(path); }
  virtual void on_finish(const FinalReport&) {}
  virtual void on_warning(const std::string& message) { static_cast<void>(message); }
  /// Called if another observer has failed; the log has this message already.
  virtual void on_failed_observer(const std::string& message) { static_cast<void>(message); }
  /// `reason`: one sentence, such as "no better bleu in 10 validations".
  virtual void on_stop(const std::string& reason, const Progress&) { static_cast<void>(reason); }
};

/// Combines several observers: calls each in turn. An exception of an observer is logged as a warning and does not end
/// the training. The other observers get the warning through on_failed_observer(), so that metrics.jsonl has it even if
/// the log cannot be written.
class ObserverGroup : public Observer {
 public:
  /// The observers must outlive the group.
  explicit ObserverGroup(std::vector<Observer*> observers);

  void on_start(const StartReport& report) override;
  void on_change(const OptionChange& change, const Progress& progress) override;
  void on_training(const TrainingReport& report) override;
  void on_progress(const TrainingReport& report) override;
  void on_forecast(const std::string& forecast) override;
  void on_validating(const ValidatingReport& report) override;
  void on_validation(const ValidationReport& report) override;
  void before_checkpoint(const std::string& path, const Progress& progress) override;
  void on_checkpoint(const std::string& path, const Progress& progress) override;
  void on_finish(const FinalReport& report) override;
  void on_warning(const std::string& message) override;
  void on_stop(const std::string& reason, const Progress& progress) override;

 private:
  template <class Tell>
  void for_each(const Tell& tell) const;
  void report_failure(const Observer& failed, const std::string& message) const;

  std::vector<Observer*> observers_;
};

}  // namespace heed::training
