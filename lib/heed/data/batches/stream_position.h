// Where a stream of updates stands; saved in a checkpoint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/encoded/usual_length.h"

namespace heed::data {

/// Where in text that is read once the buffer begins that updates are made of.
struct StreamedLines {
  CorpusSummary before = {};         ///< what became of the lines before it: before.read is their number
  std::string sha256 = {};           ///< of those lines
  int64_t given = 0;                 ///< pairs of the buffer that updates were made of
  LengthCounts source_lengths = {};  ///< of the pairs kept before it
  /// Of all pairs that were kept so far, those of the buffer that is trained on among them; absent: of a language
  /// model.
  std::optional<int64_t> usual_source_length = std::nullopt;
  bool operator==(const StreamedLines&) const = default;
};

struct StreamPosition {
  int64_t epoch = 0;                                  ///< from 0
  int64_t window = 0;                                 ///< within the epoch
  int64_t update = 0;                                 ///< within the window
  std::optional<StreamedLines> lines = std::nullopt;  ///< absent where the text is stored
  bool operator==(const StreamPosition&) const = default;
};

}  // namespace heed::data
