// The history of a training as a file of JSON lines, metrics.jsonl: the events of json_observer.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "heed/report/json_observer.h"

namespace heed::report {

class JsonLinesObserver : public JsonObserver {
 public:
  /// Nothing is written before on_start: it begins the file anew, or, when training is resumed, first drops what lies
  /// beyond the progress resumed from and a last line that was cut off, so that the file is one consistent history.
  /// The events throw FileError when the file cannot be written; only the first of several failures in a row throws.
  /// Each event tries anew, and leaves out no part of a line.
  explicit JsonLinesObserver(std::string path, WallClock clock = {}, std::string folder = {})
      : JsonObserver(std::move(clock), std::move(folder)), path_(std::move(path)) {}

  void on_start(const training::StartReport& report) override;
  /// Writes the line of the checkpoint. The history is on the disk when this returns, and after on_finish and on_stop,
  /// so that no checkpoint is without its line.
  void before_checkpoint(const std::string& path, const Progress& progress) override;
  void on_checkpoint(const std::string&, const Progress&) override {}
  void on_finish(const training::FinalReport& report) override;
  void on_stop(const std::string& reason, const Progress& progress) override;
  /// Before on_start there is no file for it.
  void on_warning(const std::string& message) override;

 private:
  void begin();
  void write(const std::string& line);
  void sync() const;
  void take(const std::string& line) override;

  std::string path_;
  double kept_updates_ = -1;            // of the history that is there
  std::optional<std::uintmax_t> size_;  // of the file's whole lines; none: the file is not begun
  bool failing_ = false;                // since the last event
};

/// The folder that the last start in a history was made in; none: no start is there, or an older version wrote it.
std::optional<std::string> folder_of_start(const std::string& history);

/// The lines of a history that belong to the first `updates` updates.
std::string history_until(const std::string& history, double updates);

}  // namespace heed::report
