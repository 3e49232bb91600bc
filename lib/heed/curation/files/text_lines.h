// The lines of several text files, read one after the other, with repaired text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heed/core/files/line_reader.h"
#include "heed/data/corpus/corpus_files.h"

namespace heed::curation {

class TextLines {
 public:
  /// files: for the names of `paths` in messages. Throws FileError if the first cannot be opened.
  TextLines(std::vector<std::string> paths, const data::CorpusFiles& files);

  /// Reads the next line. Returns false at the end of the last file. Throws InputError for damaged compressed data, and
  /// for a file that is not text: more than half of its first lines have NUL characters or are not UTF-8.
  bool next(std::string& line);
  /// Whether the last line had bytes that are not UTF-8.
  bool ill_formed() const { return ill_formed_; }
  /// Whether the last line is the first of its file.
  bool is_first() const { return reader_ && reader_->line_number() == 1; }
  /// The name of the present file in messages.
  const std::string& name() const { return reader_->path(); }
  const std::string& path() const { return paths_[opened_ - 1]; }
  int64_t line_in_file() const { return reader_->line_number(); }
  int64_t lines() const { return lines_; }  ///< read so far, of all files

 private:
  bool open_next();
  void refuse_binary(const std::string& line);

  std::vector<std::string> paths_;
  data::CorpusFiles files_;
  size_t opened_ = 0;
  std::optional<LineReader> reader_;
  int64_t lines_ = 0;
  int64_t replaced_ = 0;    // of the present file
  int64_t unreadable_ = 0;  // first lines of the present file that are not text
  bool ill_formed_ = false;
};

}  // namespace heed::curation
