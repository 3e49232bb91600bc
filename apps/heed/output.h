// A command's output: a file or standard output.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "heed/core/files/append_file.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/gzip_compressor.h"
#include "program.h"

namespace heed::apps {

/// Standard output ("-"), a file that appears when it is complete, or a growing file. If a file's name ends in .gz, its
/// content is compressed.
class Output {
 public:
  /// Throws FileError.
  explicit Output(const std::string& path) {
    if (path != "-") file_ = std::make_unique<AtomicFile>(path);
    if (path.ends_with(".gz")) packer_ = std::make_unique<GzipCompressor>();
  }
  /// A file that is extended after its first `kept` bytes. Throws FileError.
  static Output growing(const std::string& path, uint64_t kept) {
    return Output(std::make_unique<AppendFile>(path, kept));
  }

  /// Throws FileError.
  void write(std::string_view text) {
    if (growing_) return growing_->write(text);
    if (packer_) return file_->write(packer_->pack(text));
    file_ ? file_->write(text) : print(text);
  }
  /// Writes buffered text, since a program may be waiting for it. Does nothing for a file that appears when complete.
  /// Throws FileError.
  void flush() {
    if (growing_) return growing_->flush();
    if (!file_) flush_output();
  }
  /// Must be called for the file to appear. Throws FileError.
  void finish();

 private:
  friend void finish_all(std::span<Output* const> outputs);

  explicit Output(std::unique_ptr<AppendFile> growing) : growing_(std::move(growing)) {}
  void write_end();

  std::unique_ptr<AppendFile> growing_;
  std::unique_ptr<AtomicFile> file_;
  std::unique_ptr<GzipCompressor> packer_;  // if the file's name ends in .gz
};

/// Finishes several outputs: all their files appear or none (see commit_all). Throws FileError.
void finish_all(std::span<Output* const> outputs);

/// Throws FileError if a file cannot be written. Called before the work for its content starts.
void require_writable(const std::string& path);
/// Throws ConfigError if the output of `option` would replace one of `inputs`, even under another name.
void require_other_than_inputs(const std::string& option, const std::string& output,
                               std::span<const std::string> inputs);
/// Throws ConfigError if the outputs of two options are the same file or both standard output.
void require_two_outputs(const std::string& option, const std::string& output, const std::string& other_option,
                         const std::string& other_output);

}  // namespace heed::apps
