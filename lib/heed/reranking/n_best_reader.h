// Reads n-best lists: lines "LINE ||| TRANSLATION ||| SCORE", as heed, Moses, Marian and others write them. Features
// between translation and score ("F0= -3.2 "), which Moses and Marian write, are skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heed/core/files/line_reader.h"

namespace heed::reranking {

/// One translation of an n-best list.
struct Candidate {
  std::string text;
  double score = 0;  ///< score of the search that found it
};

/// The translations of one line, in the order of the file; at least one.
struct NBestList {
  int64_t line = 0;  ///< line number, from 0, as in the file
  std::vector<Candidate> candidates;
};

class NBestReader {
 public:
  /// Throws FileError.
  explicit NBestReader(const std::string& path, InvalidText invalid = InvalidText::Fail);

  /// Reads the candidates of the next line; returns false at the end. Throws InputError if a line has another form, or
  /// if a source line is missing or occurs again.
  bool next(NBestList& list);
  /// The file's name in messages.
  const std::string& path() const { return reader_.path(); }

 private:
  struct Entry {
    int64_t line;
    Candidate candidate;
  };
  std::optional<Entry> read();
  Entry parse(const std::string& text) const;

  LineReader reader_;
  std::optional<Entry> ahead_;  // the first candidate of the next list
  int64_t next_line_ = 0;
};

}  // namespace heed::reranking
