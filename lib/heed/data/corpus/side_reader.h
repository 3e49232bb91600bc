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
  /// shape: of files of pairs; told of headers, which are passed over if the format has them. Null: of other files.
  /// Throws FileError.
  SideReader(const std::vector<std::string>& paths, const CorpusFiles& files, const TextFormat& format,
             TableShape* shape = nullptr);

  /// False at the end. Throws what LineReader does.
  bool next(std::string& line);

  /// Lines read so far, headers not counted.
  int64_t lines() const;
  /// The same of each file opened so far.
  const std::vector<int64_t>& file_lines() const { return lines_; }
  int64_t replaced_lines() const { return replaced_before_ + (reader_ ? reader_->replaced_lines() : 0); }
  /// That the last line came from.
  const LineReader& reader() const { return *reader_; }

  /// What to throw about a line read before, counted from 0 without headers.
  InputError error_at(int64_t line, const std::string& message) const;
  LinePlaces places() const;
  void break_off_if(std::function<bool()> asked);

  /// "train.en has 3 lines", after reading what is left.
  std::string count_rest();
  /// The same of one file.
  std::string count_of(size_t file) const;

 private:
  void open();
  void pass_header();
  int64_t header() const { return shape_ ? 1 : 0; }

  std::vector<std::string> paths_;
  std::vector<std::string> names_;  // for messages
  InvalidText invalid_;
  TableShape* shape_;  // null: there are no headers
  std::optional<LineReader> reader_;
  std::vector<int64_t> lines_;  // read of each file opened so far
  int64_t replaced_before_ = 0;
  std::function<bool()> breaks_off_;
};

/// Whether two sides that were read to their ends have as many files each, but not of as many lines: then lines behind
/// the first such file do not belong together, though the sides may be as long.
bool has_unlike_files(const SideReader& one, const SideReader& other);

/// What to say of sides with unlike numbers of lines: of as many files each, the first two that do not fit are named.
InputError unlike_sides(SideReader& source, SideReader& target);

}  // namespace heed::data
