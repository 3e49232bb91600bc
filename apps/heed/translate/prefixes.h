// The begins of translations, line by line beside the sources.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "input.h"

namespace heed::apps {

class Prefixes {
 public:
  /// path: empty where none are given. Throws FileError.
  Prefixes(const std::string& path, InvalidText invalid);

  /// Throws InputError where the file has another number of lines than that of the sources, if both are known.
  void check(std::optional<int64_t> source_lines) const;
  /// See Input::on_wait.
  void on_wait(const std::function<void()>& tell) {
    if (input_) input_->on_wait(tell);
  }
  /// That of the source just read. Throws InputError where there is none.
  std::string next();
  /// Throws InputError where there are more than sources.
  void finish();

 private:
  std::string path_;
  std::optional<Input> input_;
  int64_t lines_ = 0;
};

}  // namespace heed::apps
