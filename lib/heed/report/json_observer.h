// The events of a training as JSON: one object an event, its "type" first among "start", "change", "train",
// "validation", "checkpoint", "warning", "stop" and "finish". Every object has "update", "tokens" and "epochs" (the
// progress), and "time" where there is a clock (ISO 8601, local time with its offset); the other numbers are those of
// heed/report/observer.h. A number that is not finite is null.
#pragma once

#include <string>
#include <utility>

#include "heed/core/wall_clock.h"
#include "heed/report/observer.h"

namespace heed::report {

class JsonObserver : public training::Observer {
 public:
  /// folder: what relative paths of the options begin at, for "start"; empty: it is left out.
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
  /// The object of an event, and LF.
  virtual void take(const std::string& line) = 0;
  std::string time() const;

  WallClock clock_;
  std::string folder_;
  Progress progress_;  // of the last event, for those that have none
};

}  // namespace heed::report
