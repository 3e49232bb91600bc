// The error for a closed pipe.
#pragma once

#include <cerrno>
#include <string>

#include "heed/core/error.h"

namespace heed {

/// The reader of the output has closed the pipe (`| head -1`). This is not a failure, but nothing more can be written.
class BrokenPipe : public FileError {
 public:
  explicit BrokenPipe(const std::string& path) : FileError(path, "write", EPIPE) {}
};

/// Throws BrokenPipe or FileError for a failed write with this errno.
[[noreturn]] inline void throw_write_error(const std::string& path, int error_number) {
  if (error_number == EPIPE) throw BrokenPipe(path);
  throw FileError(path, "write", error_number);
}

}  // namespace heed
