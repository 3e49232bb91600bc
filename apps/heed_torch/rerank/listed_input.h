// N-best lists, and beside each the line that it translates and that line's reference.
#pragma once

#include <optional>
#include <string>

#include "heed/reranking/n_best_reader.h"

namespace heed::apps {

struct ListedLine {
  reranking::NBestList list;
  std::string source;     ///< empty where there is no file of sources
  std::string reference;  ///< likewise
};

class ListedInput {
 public:
  /// source, reference: files, or empty. Throws FileError, InputError.
  ListedInput(const std::string& lists, const std::string& source, const std::string& reference, InvalidText invalid);

  /// Throws InputError where one of the files ends before another does.
  bool next(ListedLine& line);

 private:
  void require_same_end(const LineReader& file, bool has_line, bool has_list) const;

  reranking::NBestReader lists_;
  std::optional<LineReader> source_, reference_;
};

}  // namespace heed::apps
