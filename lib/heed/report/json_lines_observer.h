// Writes the events of a training run (json_observer.h) to a file of JSON lines, metrics.jsonl.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "heed/report/json_observer.h"

namespace heed::report {

class JsonLinesObserver : public JsonObserver {
 public:
  /// Nothing is written before on_start, which starts a new file. If training is resumed, it instead removes lines
  /// after the resumed step and an incomplete last line, so that the history is consistent. Events throw FileError if
  /// the file cannot be written, but only the first of several consecutive failures throws. Each event tries again and
  /// never leaves part of a line.
  explicit JsonLinesObserver(std::string path, WallClock clock = {}, StartFacts facts = {})
      : JsonObserver(std::move(clock), std::move(facts)), path_(std::move(path)) {}

  void on_start(const training::StartReport& report) override;
  /// Writes the line of the checkpoint. The history is on disk when this returns, so every checkpoint has its line. The
  /// same holds after on_finish and on_stop.
  void before_checkpoint(const std::string& path, const Progress& progress) override;
  void on_checkpoint(const std::string&, const Progress&) override {}
  void on_finish(const training::FinalReport& report) override;
  void on_stop(const std::string& reason, const Progress& progress) override;
  /// Ignored before on_start, because the file does not exist yet.
  void on_warning(const std::string& message) override;

 private:
  void begin();
  void write(const std::string& line);
  void sync() const;
  void take(const std::string& line) override;

  std::string path_;
  double kept_steps_ = -1;              // of the history in the file
  std::optional<std::uintmax_t> size_;  // size of the complete lines; none: nothing written yet
  bool failing_ = false;                // since the last event
};

/// The folder in which the last start in the history was made; none: without a start, or from an older version.
std::optional<std::string> folder_of_start(const std::string& history);

/// The lines of a history up to this number of training steps.
std::string history_until(const std::string& history, double steps);

}  // namespace heed::report
