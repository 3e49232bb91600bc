// A command's output: a file or standard output.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "heed/core/files/atomic_file.h"
#include "heed/core/files/growing_file.h"
#include "heed/core/files/gzip_packer.h"
#include "program.h"

namespace heed::apps {

/// Standard output ("-"), or a file that appears when it is complete, or one that grows. What goes to
/// a file whose name ends in .gz is compressed.
class Output {
 public:
  /// Throws FileError.
  explicit Output(const std::string& path) {
    if (path != "-") file_ = std::make_unique<AtomicFile>(path);
    if (path.ends_with(".gz")) packer_ = std::make_unique<GzipPacker>();
  }
  /// A file that grows behind its first `kept` bytes. Throws FileError.
  static Output growing(const std::string& path, uint64_t kept) {
    return Output(std::make_unique<GrowingFile>(path, kept));
  }

  /// Throws FileError.
  void write(std::string_view text) {
    if (growing_) return growing_->write(text);
    if (packer_) return file_->write(packer_->pack(text));
    file_ ? file_->write(text) : print(text);
  }
  /// Sends on what is held back, where somebody may wait for it: not of a file that appears at the end. Throws
  /// FileError.
  void flush() {
    if (growing_) return growing_->flush();
    if (!file_) flush_output();
  }
  /// Throws FileError; without it the file does not appear.
  void finish();

 private:
  friend void finish_all(std::span<Output* const> outputs);

  explicit Output(std::unique_ptr<GrowingFile> growing) : growing_(std::move(growing)) {}
  void write_end();

  std::unique_ptr<GrowingFile> growing_;
  std::unique_ptr<AtomicFile> file_;
  std::unique_ptr<GzipPacker> packer_;  // of a file whose name ends in .gz
};

/// Finishes several outputs: all of their files appear, or none (see commit_all). Throws FileError.
void finish_all(std::span<Output* const> outputs);

/// Throws FileError where a file could not be written: known before the work that its content takes.
void require_writable(const std::string& path);
/// Throws ConfigError where the file that `option` names is, by any name, one of `inputs`, whose place it would take.
void require_other_than_inputs(const std::string& option, const std::string& output,
                               std::span<const std::string> inputs);
/// Throws ConfigError where the outputs of two options would go to one file, or both to standard output.
void require_two_outputs(const std::string& option, const std::string& output, const std::string& other_option,
                         const std::string& other_output);

}  // namespace heed::apps
