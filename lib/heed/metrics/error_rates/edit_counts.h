// The fewest edits that turn one sequence into another (Levenshtein 1966), by kind.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::metrics {

/// What a hypothesis did to its reference.
struct EditCounts {
  int64_t substituted = 0;
  int64_t deleted = 0;   ///< of the reference, missing in the hypothesis
  int64_t inserted = 0;  ///< of the hypothesis, not in the reference
  int64_t total() const { return substituted + deleted + inserted; }
};

/// Counts edits with a table of which it keeps one row: time O(lengths multiplied), room O(length of the hypothesis).
/// Holds buffers for reuse, so that each thread needs its own.
///
/// Several smallest sets of edits are as large but of other kinds. Counted is the one that goes backwards through the
/// table and deletes where that is on a shortest way, else inserts where the cell before has less than the one above
/// it, else takes one of both: as RapidFuzz goes, whose kinds jiwer reports.
class EditCounter {
 public:
  EditCounts count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference);

 private:
  struct Cell {
    int32_t cost = 0;
    int32_t deleted = 0;
    int32_t inserted = 0;
  };
  void fill_row(std::span<const uint32_t> hypothesis, uint32_t reference_word);

  std::vector<Cell> row_;  // of the reference's words so far; one cell for each count of the hypothesis's
};

}  // namespace heed::metrics
