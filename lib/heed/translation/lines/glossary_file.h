// Reads glossaries: lines of SOURCE TAB TARGET, CSV (.csv) and TBX (.tbx).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heed/translation/lines/term_file.h"

namespace heed::translation {

class GlossaryFile {
 public:
  /// The name's ending tells the format.
  /// - CSV (RFC 4180, commas or semicolons): the first two columns. A first row of column names or language codes, such
  ///   as `source,target` or `en,de`, is skipped.
  /// - TBX: the terms of two languages; the first one in the file is the source. Each term of a concept goes with each
  ///   of the other language.
  /// Throws FileError, InputError.
  explicit GlossaryFile(const std::string& path);
  /// Reads the next pair; neither is blank. Returns false at the end. Throws InputError, FileError.
  bool next(std::string& source, std::string& target);
  /// The number of the line of the last pair, from 1.
  int64_t line() const;
  /// Throws InputError with this line.
  [[noreturn]] void fail(const std::string& message) const;
  /// TermFile::log_advice() for lines of SOURCE TAB TARGET.
  void log_advice() const {
    if (lines_) lines_->log_advice();
  }

 private:
  struct Term {
    std::string source, target;
    int64_t line = 0;
  };
  void read_csv(const std::string& bytes);
  void read_tbx(const std::string& bytes);
  void add(std::string_view source, std::string_view target, int64_t line);

  std::string path_;
  std::optional<TermFile> lines_;  // absent: the terms are in terms_
  std::vector<Term> terms_;
  size_t read_ = 0;  // terms that next() has returned
};

}  // namespace heed::translation
