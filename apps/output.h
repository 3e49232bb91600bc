// A command's output: a file or standard output.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "heed/core/files/atomic_file.h"
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

/// Throws ConfigError where the file that `option` names is, by any name, one of `inputs`, whose place it would take.
void require_other_than_inputs(const std::string& option, const std::string& output,
                               std::span<const std::string> inputs);
/// Throws ConfigError where the outputs of two options would go to one file, or both to standard output.
void require_two_outputs(const std::string& option, const std::string& output, const std::string& other_option,
                         const std::string& other_output);

}  // namespace heed::apps
