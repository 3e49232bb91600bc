// Finds pairs of a training text that repeat an earlier pair or are also in the validation text, in one pass. It needs
// the memory and disk of RepeatedLines, LineSet and ValidationPairs together. For 100 million pairs this is at most 100
// MB of memory, and 1.6 GB of disk while it runs.
#pragma once

#include <optional>
#include <string>

#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/pair_filters.h"
#include "heed/data/overlap/line_set.h"
#include "heed/data/overlap/overlap_counts.h"

namespace heed::data {

struct TextOverlap {
  OverlapCounts counts;
  LineSet duplicates, leaking;
};

/// The texts to compare.
struct ComparedTexts {
  CorpusFiles train;
  std::optional<CorpusFiles> valid;
  TextFormat format;
};

/// What becomes of the duplicates that are found. If they are only counted, and the disk is too full to count them, a
/// warning says so.
enum class DuplicateUse { Count, LeaveOut };
/// Reads both texts once. Logs advice about files of pairs, with the options' prefix "data.". scratch: see
/// RepeatedLines. Throws what PairReader does; FileError if the duplicates that are left out cannot be found.
TextOverlap find_overlap(const ComparedTexts& texts, const std::string& scratch, DuplicateUse use);

/// Logs the counts that are not 0, pairs of the validation text and many duplicates as warnings, and which options
/// leave them out. running: the text is read as one (TextContext); whoever left out lines of it would tear it apart, so
/// nothing advises to.
void log_overlap(const OverlapCounts& counts, const CorpusFiles& files, const PairFilters& filters, bool running);

/// Writes the counts atomically. All of them must be known. key: of the texts. Throws FileError.
void write_overlap(const std::string& path, const std::string& key, const OverlapCounts& counts);
/// Reads the counts written for texts with this key. Absent if there are none or the file is damaged.
std::optional<OverlapCounts> read_overlap(const std::string& path, const std::string& key);

}  // namespace heed::data
