// When training ends: on request, or by early stopping when validation no longer improves. The limits are in limits.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "heed/core/amount.h"
#include "heed_torch/training/train_options.h"

namespace heed::training {

/// Set by a signal handler of the program (Ctrl-C, SIGTERM). Training saves and stops after the current step. A
/// validation is interrupted, and repeated when training resumes. request() is safe in a signal handler.
class StopRequest {
 public:
  void request() { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const { return requested_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
};

/// Thrown out of a validation that a StopRequest ends.
struct Stopped {};

/// The key of the metric in ValidationReport::scores: "bleu", "loss", ...
std::string metric_name(ValidationMetric metric);
/// The score such that higher is better: BLEU, chrF, accuracy and F1 unchanged, losses and errors negated.
double comparable_score(ValidationMetric metric, double score);
/// A comparable score without noise. Scores in percent (BLEU, chrF, WER, CER, accuracy, F1) are rounded to a tenth of a
/// point, as papers report them. Other scores, such as losses, stay exact. If rounded scores are equal, the lower loss
/// decides.
double rounded_score(ValidationMetric metric, double comparable);

/// Early stopping: remembers the best score of valid.metric and the number of validations since.
class EarlyStopping {
 public:
  struct State {
    std::optional<double> best_score = std::nullopt;  ///< comparable_score, not rounded
    std::optional<double> best_loss = std::nullopt;  ///< of the best validation, if finite; absent in older checkpoints
    int64_t since_best = 0;                          ///< validations since the best one
    bool operator==(const State&) const = default;
  };
  enum class Comparison { NotBetter, Better, BetterByLoss };

  explicit EarlyStopping(const ValidationOptions& options);
  /// Compares a validation's score with the best so far: by the rounded score, and by the loss if rounded scores are
  /// equal. If valid.min-delta is above 0, only the score counts, and it must be better by more than that. A score that
  /// is not finite is never best.
  Comparison compare(double score, std::optional<double> loss = std::nullopt) const;
  /// Records a validation. Returns whether it is the best so far.
  bool observe(double score, std::optional<double> loss = std::nullopt);
  bool exhausted() const { return patience_ > 0 && state_.since_best >= patience_; }
  /// "no better bleu in 10 validations"
  std::string reason() const;

  const State& state() const { return state_; }
  void load(const State& state) { state_ = state; }

 private:
  ValidationMetric metric_;
  int64_t patience_;
  double min_delta_;
  State state_;
};
void describe_members(EarlyStopping::State& state, auto& visit) {
  visit("best_rank", state.best_score);
  visit("since_best", state.since_best);
  visit.if_set("best_loss", state.best_loss);
}

/// Whether an event with the interval `every` is due between two moments of training: whether a multiple of `every` is
/// in (before, after]. So the moments do not depend on where a resumed run began.
bool is_due(const Amount& every, const Progress& before, const Progress& after);

}  // namespace heed::training
