// The largest numbers of each row and the logarithm of its sum of exponentials, computed from a few columns at a time.
// So a full row of logits is never in memory.
#pragma once

#include <cstdint>
#include <span>

namespace heed::kernels {

/// The state of a row after the columns so far.
struct RowTopK {
  float largest;     ///< of all numbers
  double sum;        ///< of exp(number - largest)
  float* best;       ///< [count] the largest allowed numbers, in descending order; -inf while there are fewer
  int32_t* columns;  ///< [count] their columns; equal numbers are in the order of their columns
  int64_t count;

  void begin();
  double logsumexp() const;
};

/// Adds the columns [first, first + count) to the row's state. Columns in `barred` (ascending) count for the sum only.
/// numbers: those of the row from column `first` on, with space for whole lanes; they are changed.
void take_columns(RowTopK& row, float* numbers, int64_t first, int64_t count, std::span<const int32_t> barred);

}  // namespace heed::kernels
