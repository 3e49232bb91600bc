// Renews report.html in the model directory during a training, and keeps the best model's translations of the
// validation text. Nothing of the training depends on it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "heed/report/json_observer.h"
#include "heed/report/run_page.h"

namespace heed::report {

class PageObserver : public JsonObserver {
 public:
  /// Must be told of events after the observer that writes metrics.jsonl, whose earlier events the page shows too.
  /// Events throw Error if a file cannot be read or written, but only the first of several consecutive failures throws.
  /// Each renewal tries again what has failed.
  explicit PageObserver(std::string directory, WallClock clock = {})
      : JsonObserver(std::move(clock)), directory_(std::move(directory)) {}

  void on_start(const training::StartReport& report) override;
  /// Renews the page if the last time is long ago, or if this is the first report: config.toml has this start's
  /// options.
  void on_training(const training::TrainingReport& report) override;
  void on_validation(const training::ValidationReport& report) override;
  void on_finish(const training::FinalReport& report) override;
  void on_stop(const std::string& reason, const Progress& progress) override;

 private:
  void take(const std::string& line) override;
  /// Writes the translations that are not on disk yet, and the page.
  void renew();
  void read();
  void keep_translations();

  std::string directory_;
  std::optional<Run> run_;                              // none: the files of the training must be read
  std::vector<std::string> references_, translations_;  // of the best model; empty: they are on disk
  bool failing_ = false;                                // since the last time
  std::chrono::steady_clock::time_point written_ = {};
};

}  // namespace heed::report
