// Where a command's results go.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "heed/core/atomic_file.h"

namespace heed::apps {

/// Standard output ("-"), or a file that appears when it is complete; what is no regular file (a pipe, /dev/null) is
/// written to directly.
class Output {
 public:
  /// Throws FileError.
  explicit Output(const std::string& path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Throws FileError.
  void write(std::string_view text);
  /// Throws FileError; without it the file does not appear.
  void finish();

 private:
  std::string path_;
  std::unique_ptr<AtomicFile> file_;
  std::FILE* stream_ = nullptr;
};

}  // namespace heed::apps
