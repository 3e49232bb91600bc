// The log of a filter: a JSON object per removed line, by which `heed data restore` puts lines back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heed/core/files/line_reader.h"
#include "heed/curation/survey/corpus_survey.h"

namespace heed::curation {

/// {"line": 17, "reasons": ["duplicate"], "repeats": 4, "source": "...", "target": "..."} and a line end.
/// reasons: the filters for which it was removed. If the number of the pair is not that of its line, it has "pair" too.
std::string removed_line(const JudgedPair& pair, FilterSet reasons);

struct RemovedLine {
  int64_t number = 0;  ///< of the pair, from 1
  Pair pair;
  FilterSet reasons;
};

/// Reads the log of a filter.
class RemovedLines {
 public:
  /// Throws FileError.
  explicit RemovedLines(const std::string& path) : reader_(path) {}
  /// The next removed line; absent at the end. Throws InputError for a line that is not from a log, and if line numbers
  /// do not increase.
  std::optional<RemovedLine> next();

 private:
  LineReader reader_;
  int64_t last_ = 0;
};

}  // namespace heed::curation
