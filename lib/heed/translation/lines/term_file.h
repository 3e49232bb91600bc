// Reads files of lines SOURCE TAB TARGET. Skips blank lines.
#pragma once

#include <cstdint>
#include <string>

#include "heed/core/files/line_reader.h"
#include "heed/data/corpus/table_shape.h"

namespace heed::translation {

class TermFile {
 public:
  /// Throws FileError.
  explicit TermFile(const std::string& path) : reader_(path) {}
  /// Reads the next pair, without surrounding white space; neither is blank. Returns false at the end. Throws
  /// InputError, FileError.
  bool next(std::string& source, std::string& target);
  /// The number of the last line read, from 1.
  int64_t line() const { return reader_.line_number(); }
  /// Throws InputError with the number of the last line read.
  [[noreturn]] void fail(const std::string& message) const;
  /// Warns if the terms read so far look like a spreadsheet's: in double quotes, or below a header.
  void log_advice() const { shape_.log_advice_on_terms(reader_.path()); }

 private:
  LineReader reader_;
  data::TableShape shape_;
};

}  // namespace heed::translation
