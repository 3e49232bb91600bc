// When training ends: by a request, or by early stopping, when validation no longer improves. limits.h has the limits.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "heed/core/amount.h"
#include "heed_torch/training/train_options.h"

namespace heed::training {

/// Set by a signal handler of the program (Ctrl-C, SIGTERM): training saves and stops after the current update, or in
/// the middle of a validation, which is made up for when training goes on.
/// Requesting is safe in a signal handler.
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

/// The name that ValidationReport::scores has it under: "bleu", "loss", ...
std::string metric_name(ValidationMetric metric);
/// The score turned so that higher is better: BLEU, chrF, accuracy and F1 as they are, losses and errors negated.
double rank_of(ValidationMetric metric, double score);
/// A rank without what is noise: scores in percent (BLEU, chrF, WER, CER, accuracy, F1) are rounded to a tenth of a
/// point, as papers report them. Others, such as losses, stay exact. The lower loss decides between equal ranks.
double rounded_rank(ValidationMetric metric, double rank);

/// Early stopping: remembers the best score of valid.metric and how long ago it was.
class Patience {
 public:
  struct State {
    std::optional<double> best_rank = std::nullopt;  ///< not rounded
    std::optional<double> best_loss = std::nullopt;  ///< of that validation, if finite; absent in older checkpoints
    int64_t since_best = 0;                          ///< validations
    bool operator==(const State&) const = default;
  };
  enum class Verdict { NotBetter, Better, BetterByLoss };

  explicit Patience(const ValidationOptions& options);
  /// How a validation's score compares with the best so far: by its rounded rank, and between equal ones by the loss.
  /// With valid.min-delta above 0 only by the score, which must be better by more than that. A score that is not finite
  /// is never best.
  Verdict compare(double score, std::optional<double> loss = std::nullopt) const;
  /// Takes in a validation; whether it is the best so far.
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

/// Whether an event that comes `every` so often is due between two moments of training: it is when a multiple of
/// `every` lies in (before, after]. So the moments do not depend on where a resumed run began.
bool is_due(const Amount& every, const Progress& before, const Progress& after);

}  // namespace heed::training
