// A reader that goes away.
#pragma once

#include <cerrno>
#include <string>

#include "heed/core/error.h"

namespace heed {

/// Whoever read what was written reads no more (`| head -1`): nothing is wrong, and nothing more is to be written.
class BrokenPipe : public FileError {
 public:
  explicit BrokenPipe(const std::string& path) : FileError(path, "write", EPIPE) {}
};

/// Throws BrokenPipe or FileError for a write that failed with this errno.
[[noreturn]] inline void throw_write_error(const std::string& path, int error_number) {
  if (error_number == EPIPE) throw BrokenPipe(path);
  throw FileError(path, "write", error_number);
}

}  // namespace heed
