// The keys and values of the tokens decoded so far, in one self-attention layer. It grows in place: a step writes one
// column. Rows are hypotheses (sentences x beam). Columns end together: a row that has seen fewer tokens than there are
// columns uses the last ones, the columns before are to be masked.
#pragma once

#include <cstdint>

#include "heed_torch/nn/attention/scaled_dot_product.h"

namespace heed::nn {

class KeyValueCache {
 public:
  explicit KeyValueCache(int64_t rows) : rows_(rows) {}

  /// Adds columns. keys, values: float [rows, columns, heads, d_head]. Where gradients are wanted it copies instead of
  /// writing in place.
  void append(const Tensor& keys, const Tensor& values);
  /// All columns.
  KeysValues view() const;
  /// Row i continues row rows[i]; only the last `columns` columns are kept. rows: int64 [R'].
  void select(const Tensor& rows, int64_t columns);
  /// Puts the rows of `other` behind the present ones; the columns of both end together.
  void join(const KeyValueCache& other);

  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }

 private:
  Tensor used() const;
  void reserve(const Tensor& like, int64_t columns);

  int64_t rows_ = 0;
  int64_t columns_ = 0;
  Tensor buffer_;  // [at least rows, at least columns, 2, heads, d_head]; undefined before the first append
  Tensor spare_;   // what select writes to; the two swap, so that a search allocates nothing per step
};

}  // namespace heed::nn
