// A command's input: the lines of files or of standard input.
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

/// The lines of several files, one after the other.
class Input {
 public:
  /// Throws FileError when one of them cannot be opened, ConfigError for standard input named twice.
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
  /// Calls `tell` from now on before next() waits for a sender, be it of a line or of a pipe's begin. What it throws,
  /// next() throws.
  void on_wait(std::function<void()> tell) { on_wait_ = std::move(tell); }

  /// The file, as messages call it, and the number of the line last read.
  struct Place {
    std::string path;
    int64_t line;
  };
  using Look = std::function<void(const std::string& line, const Place& place)>;
  Place place() const { return {reader_->path(), reader_->line_number()}; }

  /// Reads the files to their end where they can be read again. Returns the number of their lines, if all can. Throws
  /// InputError at what next() would find wrong, and what `look` throws, which sees each line.
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
    if (on_wait_ && path != "-" && is_stream(path)) on_wait_();  // opening a pipe waits for who writes it
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
