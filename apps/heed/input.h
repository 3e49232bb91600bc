// A command's input: lines of files or of standard input.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heed/core/files/line_reader.h"
#include "heed/core/files/unpacked_file.h"
#include "program.h"

namespace heed::apps {

/// The lines of several files, read one after the other.
class Input {
 public:
  /// Throws FileError if a file cannot be opened, and ConfigError if standard input is named twice.
  Input(std::vector<std::string> paths, InvalidText invalid) : paths_(std::move(paths)), invalid_(invalid) {
    require_one_standard_input(paths_);
    for (const std::string& path : paths_) {
      if (!is_stream(path)) LineReader(path, invalid_);
    }
  }
  bool next(std::string& line) {
    while (next_ < paths_.size() || reader_) {
      if (!reader_) open_next();
      if (reader_->next(line)) return true;
      reader_.reset();
    }
    return false;
  }
  /// Sets a callback. next() calls it before it waits for a line, or for a pipe to be opened. next() passes on what it
  /// throws.
  void on_wait(std::function<void()> tell) { on_wait_ = std::move(tell); }

  /// The file's name in messages and the number of the last line read.
  struct Place {
    std::string path;
    int64_t line;
  };
  using Look = std::function<void(const std::string& line, const Place& place)>;
  Place place() const { return {reader_->path(), reader_->line_number()}; }

  /// Reads all files that can be read twice, and calls `look` for each line. Returns the number of lines if this
  /// includes all files. Throws InputError for errors that next() would find, and what `look` throws.
  std::optional<int64_t> check(const Look& look = {}) const {
    std::optional<int64_t> lines = 0;
    std::string line;
    for (const std::string& path : paths_) {
      if (is_stream(path)) {
        lines.reset();
        continue;
      }
      for (LineReader reader(path, invalid_); reader.next(line);) {
        if (lines) ++*lines;
        if (look) look(line, {reader.path(), reader.line_number()});
      }
    }
    return lines;
  }

 private:
  void open_next() {
    const std::string& path = paths_[next_++];
    if (on_wait_ && path != "-" && is_stream(path)) on_wait_();  // opening a pipe waits for its writer
    reader_.emplace(path, invalid_);
    if (on_wait_) reader_->on_wait(on_wait_);
  }

  std::vector<std::string> paths_;
  InvalidText invalid_;
  size_t next_ = 0;
  std::optional<LineReader> reader_;
  std::function<void()> on_wait_;
};

}  // namespace heed::apps
