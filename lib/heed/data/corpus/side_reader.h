// One side of a corpus: the lines of several files, one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/table_shape.h"
#include "heed/data/corpus/text_format.h"

namespace heed::data {

class SideReader {
 public:
  /// shape: set for files of pairs; it receives the headers, which are skipped if the format has them. Null for other
  /// files. Throws FileError.
  SideReader(const std::vector<std::string>& paths, const CorpusFiles& files, const TextFormat& format,
             TableShape* shape = nullptr);

  /// Reads the next line. Returns false at the end. Throws what LineReader does.
  bool next(std::string& line);

  /// Lines read so far, without headers.
  int64_t lines() const;
  /// The same for each file opened so far.
  const std::vector<int64_t>& file_lines() const { return lines_; }
  int64_t replaced_lines() const { return replaced_before_ + (reader_ ? reader_->replaced_lines() : 0); }
  /// The reader of the last line.
  const LineReader& reader() const { return *reader_; }

  /// The error to throw about a line that was read before, counted from 0 without headers.
  InputError error_at(int64_t line, const std::string& message) const;
  LineLocations places() const;
  void break_off_if(std::function<bool()> asked);

  /// "train.en has 3 lines": reads the remaining lines first.
  std::string count_rest();
  /// The same for one file.
  std::string count_of(size_t file) const;

 private:
  void open();
  void pass_header();
  int64_t header() const { return shape_ ? 1 : 0; }

  std::vector<std::string> paths_;
  std::vector<std::string> names_;  // for messages
  InvalidText invalid_;
  TableShape* shape_;  // null: the files have no headers
  std::optional<LineReader> reader_;
  std::vector<int64_t> lines_;  // lines read of each file opened so far
  int64_t replaced_before_ = 0;
  std::function<bool()> breaks_off_;
};

/// Whether two sides have the same number of files, but files of different lengths. Both must have been read to their
/// ends. Lines after the first such file do not belong together, even if both sides have the same number of lines.
bool has_unlike_files(const SideReader& one, const SideReader& other);

/// The error to throw about sides with different numbers of lines. If both have the same number of files, it names the
/// first two that do not match.
InputError unlike_sides(SideReader& source, SideReader& target);

}  // namespace heed::data
