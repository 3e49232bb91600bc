// N-best lists, each with the line that it translates and that line's reference.
#pragma once

#include <optional>
#include <string>

#include "heed/reranking/n_best_reader.h"

namespace heed::apps {

struct ListedLine {
  reranking::NBestList list;
  std::string source;     ///< empty without a source file
  std::string reference;  ///< empty without a reference file
};

class ListedInput {
 public:
  /// source, reference: files; empty: not given. Throws FileError, InputError.
  ListedInput(const std::string& lists, const std::string& source, const std::string& reference, InvalidText invalid);

  /// Throws InputError if one of the files ends before another.
  bool next(ListedLine& line);

 private:
  void require_same_end(const LineReader& file, bool has_line, bool has_list) const;

  reranking::NBestReader lists_;
  std::optional<LineReader> source_, reference_;
};

}  // namespace heed::apps
