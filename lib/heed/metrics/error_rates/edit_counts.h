// The smallest number of edits that turn one sequence into another (Levenshtein 1966), by type of edit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::metrics {

/// The edits that turn a reference into a hypothesis.
struct EditCounts {
  int64_t substituted = 0;
  int64_t deleted = 0;   ///< words of the reference that the hypothesis lacks
  int64_t inserted = 0;  ///< words of the hypothesis that the reference lacks
  int64_t total() const { return substituted + deleted + inserted; }
};

/// Counts edits by dynamic programming, keeping one row of the table: time O(product of the lengths), memory O(length
/// of the hypothesis). Not thread-safe: it reuses its buffers.
///
/// Several sequences of edits may be shortest but differ in their types. The counted one is traced backwards through
/// the table: it deletes if that is optimal; else inserts if the cell to the left costs less than the diagonal one;
/// else keeps or substitutes. RapidFuzz, whose counts jiwer reports, uses the same rule.
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

  std::vector<Cell> row_;  // for the reference's words so far; one cell per prefix of the hypothesis
};

}  // namespace heed::metrics
