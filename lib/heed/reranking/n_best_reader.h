// Reads n-best lists: lines "LINE ||| TRANSLATION ||| SCORE", as heed, Moses, Marian and others write them. What Moses
// and Marian have between translation and score ("F0= -3.2 ") is passed over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heed/core/files/line_reader.h"

namespace heed::reranking {

/// A translation that a search found.
struct Candidate {
  std::string text;
  double score = 0;  ///< the search's
};

/// What a search found of one line, in the list's order; at least one.
struct NBestList {
  int64_t line = 0;  ///< from 0, as the list counts
  std::vector<Candidate> candidates;
};

class NBestReader {
 public:
  /// Throws FileError.
  explicit NBestReader(const std::string& path, InvalidText invalid = InvalidText::Fail);

  /// Reads the candidates of the next line; false at the end. Throws InputError for a line of another form, and where
  /// lines of the source are left out or come back.
  bool next(NBestList& list);
  /// What messages call the file.
  const std::string& path() const { return reader_.path(); }

 private:
  struct Entry {
    int64_t line;
    Candidate candidate;
  };
  std::optional<Entry> read();
  Entry parse(const std::string& text) const;

  LineReader reader_;
  std::optional<Entry> ahead_;  // the first of the next list
  int64_t next_line_ = 0;
};

}  // namespace heed::reranking
