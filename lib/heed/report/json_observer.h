// The events of a training run as JSON, one object per event. "type" comes first: "start", "change", "train",
// "validation", "checkpoint", "warning", "stop" or "finish". Every object has the progress: "step", "tokens" and
// "epochs". With a clock it has "time" (ISO 8601, local time with its offset).
// heed/report/observer.h describes the other numbers. A number that is not finite is null.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "heed/core/wall_clock.h"
#include "heed/report/observer.h"

namespace heed::report {

/// What a start of a training says about its process.
struct StartFacts {
  std::string folder = {};     ///< that relative paths in the options refer to; empty: unknown
  std::string processor = {};  ///< its name and the vector instructions that heed uses; empty: unknown
  int64_t memory = 0;          ///< bytes of the machine; 0: unknown
  std::string preset = {};     ///< empty: unknown
  std::vector<training::OptionChange> options = {};  ///< those whose values are not the preset's (`before`)
};

class JsonObserver : public training::Observer {
 public:
  /// facts: for "start"; what is unknown is left out.
  explicit JsonObserver(WallClock clock = {}, StartFacts facts = {})
      : clock_(std::move(clock)), facts_(std::move(facts)) {}

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
  StartFacts facts_;
  Progress progress_;  // of the last event, for events without progress
};

}  // namespace heed::report
