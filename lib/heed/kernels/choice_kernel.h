// The best few numbers of rows and the logarithm of their sum of exponentials, as the rows come, some columns at a
// time: no row of logits is written whole.
#pragma once

#include <cstdint>
#include <span>

namespace heed::kernels {

/// What is known of a row so far.
struct RowChoice {
  float largest;     ///< of all numbers
  double sum;        ///< of exp(number - largest)
  float* best;       ///< [count] the best numbers that may be chosen, best first; -inf where there are fewer yet
  int32_t* columns;  ///< [count] of which columns; equal numbers in the order of their columns
  int64_t count;

  void begin();
  double logsumexp() const;
};

/// Takes the numbers of columns [first, first + count) into account; of the columns in `barred`, which are ascending,
/// for the sum only. numbers: the row's, from column `first` on, with room for whole lanes; it is changed.
void take_columns(RowChoice& row, float* numbers, int64_t first, int64_t count, std::span<const int32_t> barred);

}  // namespace heed::kernels
