// Where a command's results go.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "heed/core/atomic_file.h"
#include "program.h"

namespace heed::apps {

/// Standard output ("-"), or a file that appears when it is complete.
class Output {
 public:
  /// Throws FileError.
  explicit Output(const std::string& path) {
    if (path != "-") file_ = std::make_unique<AtomicFile>(path);
  }
  /// Throws FileError.
  void write(std::string_view text) { file_ ? file_->write(text) : print(text); }
  /// Throws FileError; without it the file does not appear.
  void finish() {
    if (file_) file_->commit();
  }

 private:
  std::unique_ptr<AtomicFile> file_;
};

/// All of a result at once. Throws FileError.
inline void write_output(const std::string& path, std::string_view content) {
  Output output(path);
  output.write(content);
  output.finish();
}

}  // namespace heed::apps
