// The history of a training as a file of JSON lines (metrics.jsonl): one object an event, its "type" first among
// "start", "change", "train", "validation", "checkpoint", "warning", "stop" and "finish". Every object has "update",
// "tokens" and "epochs" (the progress), and "time" where there is a clock (ISO 8601, local time with its offset); the
// other numbers are those of training/observer.h. A number that is not finite is null.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "heed/core/wall_clock.h"
#include "heed/training/observer.h"

namespace heed::report {

class JsonLinesObserver : public training::Observer {
 public:
  /// Nothing is written before on_start: it begins the file anew, or, when training is resumed, first drops what lies
  /// beyond the progress resumed from and a last line that was cut off, so that the file is one consistent history.
  explicit JsonLinesObserver(std::string path, WallClock clock = {})
      : path_(std::move(path)), clock_(std::move(clock)) {}

  /// Throws FileError when the file cannot be written, as the others do; only the first of several failures in a row
  /// throws. Each event tries anew, and leaves out no part of a line.
  void on_start(const training::StartReport& report) override;
  void on_change(const training::OptionChange& change, const Progress& progress) override;
  void on_training(const training::TrainingReport& report) override;
  void on_validation(const training::ValidationReport& report) override;
  void on_checkpoint(const std::string& path, const Progress& progress) override;
  void on_finish(const training::FinalReport& report) override;
  void on_warning(const std::string& message) override;
  void on_stop(const std::string& reason, const Progress& progress) override;

 private:
  void begin();
  void write(const std::string& line);
  void append(const std::string& line);
  std::string time() const;

  std::string path_;
  WallClock clock_;
  double kept_updates_ = -1;            // of the history that is there
  std::optional<std::uintmax_t> size_;  // of the file's whole lines; none: the file is not begun
  bool failing_ = false;                // since the last event
  Progress progress_;                   // of the last event, for those that have none
};

/// The lines of a history that belong to the first `updates` updates.
std::string history_until(const std::string& history, double updates);

}  // namespace heed::report
