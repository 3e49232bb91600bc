// Renews report.html in the model directory during a training, and keeps the best model's translations of the
// validation text. Nothing of the training depends on it.
#pragma once

#include <chrono>
#include <string>

#include "heed/report/json_observer.h"
#include "heed/report/run_page.h"

namespace heed::report {

class PageObserver : public JsonObserver {
 public:
  /// Must be told of events after the observer that writes metrics.jsonl, whose earlier events the page shows too.
  /// Events throw FileError if a file cannot be written, but only the first of several consecutive failures throws.
  explicit PageObserver(std::string directory, WallClock clock = {})
      : JsonObserver(std::move(clock)), directory_(std::move(directory)) {}

  void on_start(const training::StartReport& report) override;
  /// Renews the page if the last time is long ago.
  void on_training(const training::TrainingReport& report) override;
  void on_validation(const training::ValidationReport& report) override;
  void on_finish(const training::FinalReport& report) override;
  void on_stop(const std::string& reason, const Progress& progress) override;

 private:
  void take(const std::string& line) override;
  /// Writes the page. validated: whose translations are kept if it is the best; null: none.
  void renew(const training::ValidationReport* validated = nullptr);
  void keep_translations(const training::ValidationReport& report) const;

  std::string directory_;
  Run run_;
  bool started_ = false;
  bool failing_ = false;  // since the last time
  std::chrono::steady_clock::time_point written_ = {};
};

}  // namespace heed::report
