// The events of a training run as JSON, one object per event. "type" comes first: "start", "change", "train",
// "validation", "checkpoint", "warning", "stop" or "finish". Every object has the progress: "step", "tokens" and
// "epochs". With a clock it has "time" (ISO 8601, local time with its offset).
// heed/report/observer.h describes the other numbers. A number that is not finite is null.
#pragma once

#include <string>
#include <utility>

#include "heed/core/wall_clock.h"
#include "heed/report/observer.h"

namespace heed::report {

class JsonObserver : public training::Observer {
 public:
  /// folder: the folder that relative paths in the options refer to, for "start"; empty: left out.
  explicit JsonObserver(WallClock clock = {}, std::string folder = {})
      : clock_(std::move(clock)), folder_(std::move(folder)) {}

  void on_start(const training::StartReport& report) override;
  void on_change(const training::OptionChange& change, const Progress& progress) override;
  void on_training(const training::TrainingReport& report) override;
  void on_validation(const training::ValidationReport& report) override;
  void on_checkpoint(const std::string& path, const Progress& progress) override;
  void on_finish(const training::FinalReport& report) override;
  void on_warning(const std::string& message) override;
  void on_failed_observer(const std::string& message) override;
  void on_stop(const std::string& reason, const Progress& progress) override;

 private:
  /// Receives the object of an event as one line that ends in LF.
  virtual void take(const std::string& line) = 0;
  std::string time() const;

  WallClock clock_;
  std::string folder_;
  Progress progress_;  // of the last event, for events without progress
};

}  // namespace heed::report
