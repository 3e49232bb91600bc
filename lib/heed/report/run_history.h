// The events of a training (json_observer.h) as curves, for its page.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::report {

class RunHistory {
 public:
  /// Adds an event: a line of metrics.jsonl, also of earlier versions of heed. Ignores what is not an event.
  void add(std::string_view line);
  /// The same for all complete lines of a file's text.
  void add_all(std::string_view lines);

  bool empty() const { return starts_.empty() && train_.empty(); }
  /// The last step at which a validation found the best model so far; -1: none.
  int64_t best_step() const;

  /// The members of a JSON object, without braces: starts, train, validation, samples, time, changes, warnings,
  /// checkpoints, stop and finish. A curve of more points than `most_points` is thinned: each of its points is the mean
  /// of several.
  std::string members(size_t most_points = 1500) const;

 private:
  /// Amount of training in steps, tokens and epochs, and the time in seconds.
  static constexpr std::array kPlaces{"step", "tokens", "epochs", "elapsed"};
  static constexpr std::array kCurves{
      "loss", "objective", "learning_rate", "gradient_norm", "source_tokens_per_second", "target_tokens_per_second"};
  struct Report {
    std::array<double, kPlaces.size()> at;
    std::array<double, kCurves.size()> values;
  };
  struct Validation {
    std::array<double, kPlaces.size()> at;
    std::map<std::string, double> scores;
    bool best = false;
  };
  struct Sample {
    std::string source, reference;
    std::vector<std::pair<int64_t, std::string>> hypotheses;  // the step from which the model writes each
    std::vector<std::pair<int64_t, std::string>> attention;   // the step of each map, and the map in JSON
  };

  std::vector<std::string> starts_, changes_, warnings_;  // events as they are
  std::string stop_, finish_, last_report_, last_validation_;
  std::vector<Report> train_;
  std::vector<Validation> validations_;
  std::vector<Sample> samples_;
  std::map<std::string, double> seconds_;  // by phase
  int64_t checkpoints_ = 0;
};

}  // namespace heed::report
