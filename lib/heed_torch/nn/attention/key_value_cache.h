// The keys and values of the tokens decoded so far, in one self-attention layer. The cache grows in place: each step
// writes one column. Rows are hypotheses (sentences x beam). All rows end at the last column. A row with fewer tokens
// than columns uses the last columns; callers must mask those before.
#pragma once

#include <cstdint>

#include "heed_torch/nn/attention/scaled_dot_product.h"

namespace heed::nn {

class KeyValueCache {
 public:
  explicit KeyValueCache(int64_t rows) : rows_(rows) {}

  /// Appends columns. keys, values: float [rows, columns, heads, d_head]. If gradients are needed, it copies instead of
  /// writing in place.
  void append(const Tensor& keys, const Tensor& values);
  /// All columns.
  KeysValues view() const;
  /// Row i continues the old row rows[i]; only the last `columns` columns are kept. rows: int64 [R'].
  void select(const Tensor& rows, int64_t columns);
  /// Appends the rows of `other` after the present ones. The last columns of both are aligned.
  void join(const KeyValueCache& other);

  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }

 private:
  Tensor used() const;
  void reserve(const Tensor& like, int64_t columns);

  int64_t rows_ = 0;
  int64_t columns_ = 0;
  Tensor buffer_;  // [at least rows, at least columns, 2, heads, d_head]; undefined before the first append
  Tensor spare_;   // where select writes; buffer and spare swap, so that a search does not allocate memory per step
};

}  // namespace heed::nn
