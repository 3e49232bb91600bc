// The bytes of a file or of standard input, unpacked where they are gzip (RFC 1952), which the first two of them tell.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace heed {

/// Whether a file can be read only once: standard input ("-"), a pipe or a device.
bool is_stream(const std::string& path);

/// Thrown by a read that was broken off.
struct ReadBrokenOff {};

class UnpackedFile {
 public:
  /// `path` "-": standard input. Messages call the file `name`. Throws FileError when it cannot be opened or is a
  /// directory. A named pipe is opened at once; the first read waits for whoever writes into it.
  UnpackedFile(const std::string& path, std::string name);
  ~UnpackedFile();
  UnpackedFile(const UnpackedFile&) = delete;
  UnpackedFile& operator=(const UnpackedFile&) = delete;

  /// Reads at least one and up to `count` bytes; 0: the end. Throws FileError; InputError when compressed data is
  /// damaged, cut off, or followed by anything but compressed data and zeros.
  size_t read(char* bytes, size_t count);
  /// Whether what is read is unpacked. Throws FileError.
  bool packed();
  /// Calls `tell` from now on before a read that waits for a sender. What it throws, read() throws.
  void on_wait(std::function<void()> tell) { on_wait_ = std::move(tell); }
  /// A read that waits for a sender asks this several times a second from now on, and throws ReadBrokenOff where it is
  /// true: nothing may be read then.
  void break_off_if(std::function<bool()> asked) { breaks_off_ = std::move(asked); }

 private:
  struct Unpacker;
  size_t read_packed(char* bytes, size_t count);
  bool looks_packed();
  size_t read_some(char* bytes, size_t count);
  void wait();

  std::string name_;
  std::function<void()> on_wait_;
  std::function<bool()> breaks_off_;
  int descriptor_ = -1;
  bool awaits_writer_ = false;  // a named pipe that nothing was read of
  bool begun_ = false;
  std::string ahead_;                   // read to tell what it is
  std::unique_ptr<Unpacker> unpacker_;  // null: not compressed
};

}  // namespace heed
