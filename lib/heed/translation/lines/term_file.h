// Files of lines SOURCE TAB TARGET. Blank lines are left out.
#pragma once

#include <cstdint>
#include <string>

#include "heed/core/files/line_reader.h"

namespace heed::translation {

class TermFile {
 public:
  /// Throws FileError.
  explicit TermFile(const std::string& path) : reader_(path) {}
  /// Without white space at their ends, neither blank. Returns false at the end. Throws InputError, FileError.
  bool next(std::string& source, std::string& target);
  /// The line that was read last, counted from 1.
  int64_t line() const { return reader_.line_number(); }
  /// Throws InputError with the line that was read last.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  LineReader reader_;
};

}  // namespace heed::translation
