// Prefixes of translations: a file with one line per source line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "input.h"

namespace heed::apps {

class Prefixes {
 public:
  /// path: empty without prefixes. Throws FileError.
  Prefixes(const std::string& path, InvalidText invalid);

  /// Throws InputError if the file and the source have different numbers of lines, if both are known.
  void check(std::optional<int64_t> source_lines) const;
  /// See Input::on_wait.
  void on_wait(const std::function<void()>& tell) {
    if (input_) input_->on_wait(tell);
  }
  /// The prefix for the source line just read. Throws InputError if the file has ended.
  std::string next();
  /// Throws InputError if there are more prefixes than source lines.
  void finish();

 private:
  std::string path_;
  std::optional<Input> input_;
  int64_t lines_ = 0;
};

}  // namespace heed::apps
