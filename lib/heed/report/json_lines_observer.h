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
  /// after the resumed step and an incomplete last line, so that the history is consistent (history_until). Events
  /// throw FileError if the file cannot be written, but only the first of several consecutive failures throws. Lines
  /// that could not be written stay in memory. Each event tries to write them again and never leaves part of a line.
  explicit JsonLinesObserver(std::string path, WallClock clock = {}, StartFacts facts = {})
      : JsonObserver(std::move(clock), std::move(facts)), path_(std::move(path)) {}

  void on_start(const training::StartReport& report) override;
  /// The line is on disk when this returns. So a change is in the history before config.toml has it, and the next start
  /// either finds it in both or reports it again.
  void on_change(const training::OptionChange& change, const Progress& progress) override;
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
  void write();
  void sync() const;
  void take(const std::string& line) override;

  std::string path_;
  std::optional<Progress> resumed_;     // where the history in the file ends; none: a new training
  std::string unwritten_;               // lines that are not in the file yet; first that of the start
  std::optional<std::uintmax_t> size_;  // size of the complete lines; none: nothing written yet
  bool failing_ = false;                // since the last event
};

/// The folder in which the last start in the history was made; none: without a start, or from an older version.
std::optional<std::string> folder_of_start(const std::string& history);

/// The lines of a history up to this progress, from which training resumes. Changes of options after it get this
/// progress instead: they stay in force, since config.toml has them, if a damaged checkpoint makes training resume from
/// an earlier one.
std::string history_until(const std::string& history, const Progress& progress);

}  // namespace heed::report
