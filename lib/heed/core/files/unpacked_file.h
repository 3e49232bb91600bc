// The bytes of a file or of standard input. Gzip data (RFC 1952), recognized by its first two bytes, is unpacked.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace heed {

/// Whether a path can be read only once: standard input ("-"), a pipe or a device.
bool is_stream(const std::string& path);

/// Thrown by a read that was cancelled (break_off_if).
struct ReadCancelled {};

class UnpackedFile {
 public:
  /// `path` "-": standard input. Messages call the file `name`. Throws FileError if it cannot be opened or is a
  /// directory. A named pipe is opened immediately; the first read waits for a writer.
  UnpackedFile(const std::string& path, std::string name);
  ~UnpackedFile();
  UnpackedFile(const UnpackedFile&) = delete;
  UnpackedFile& operator=(const UnpackedFile&) = delete;

  /// Reads at least one and at most `count` bytes. Returns 0 at the end. Throws FileError. Throws InputError if
  /// compressed data is damaged or truncated, or followed by anything except compressed data and zeros.
  size_t read(char* bytes, size_t count);
  /// Whether the file is compressed. Throws FileError.
  bool packed();
  /// From now on calls `tell` before a read that waits for a sender. read() passes on its exceptions.
  void on_wait(std::function<void()> tell) { on_wait_ = std::move(tell); }
  /// From now on a read that waits for a sender polls `asked` several times per second. If it returns true, read()
  /// throws ReadCancelled; do not read after that.
  void break_off_if(std::function<bool()> asked) { breaks_off_ = std::move(asked); }

 private:
  struct Decompressor;
  size_t read_packed(char* bytes, size_t count);
  bool looks_packed();
  size_t read_some(char* bytes, size_t count);
  void wait();

  std::string name_;
  std::function<void()> on_wait_;
  std::function<bool()> breaks_off_;
  int descriptor_ = -1;
  bool awaits_writer_ = false;  // a named pipe from which nothing was read yet
  bool begun_ = false;
  std::string ahead_;                       // bytes read to recognize the format
  std::unique_ptr<Decompressor> unpacker_;  // null: not compressed
};

}  // namespace heed
