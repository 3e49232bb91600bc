// Writes the curves of a training as an event file for TensorBoard.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "heed/report/json_observer.h"

namespace heed::report {

/// The scalars are train/loss, train/learning_rate, ..., valid/loss, valid/bleu, ... When a training is resumed, a new
/// file with the whole history replaces the old one, so that no step occurs twice. It begins with an event that lets a
/// running TensorBoard forget the old one.
class TensorBoardObserver : public JsonObserver {
 public:
  /// directory: for the event file. history: metrics.jsonl; must be told of events before. name: of the training, a
  /// part of the file's name. Events throw FileError if the file cannot be written, but only the first of several
  /// consecutive failures throws.
  TensorBoardObserver(std::string directory, std::string history, std::string name, WallClock clock)
      : JsonObserver(clock),
        directory_(std::move(directory)),
        history_(std::move(history)),
        name_(std::move(name)),
        clock_(std::move(clock)) {}

  void on_start(const training::StartReport& report) override;

 private:
  void take(const std::string& line) override;
  void begin();

  std::string directory_, history_, name_;
  WallClock clock_;
  std::string path_;              // of the event file
  std::optional<uint64_t> size_;  // of its whole records; none: not begun
  bool failing_ = false;          // since the last event
};

}  // namespace heed::report
