#include "heed_torch/nn/attention/key_value_cache.h"

#include <algorithm>

#include <ATen/ATen.h>

namespace heed::nn {
namespace {

constexpr int64_t kFirstCapacity = 16;

bool records(const Tensor& x) { return at::GradMode::is_enabled() && x.requires_grad(); }

}  // namespace

Tensor KeyValueCache::used() const { return buffer_.narrow(0, 0, rows_).narrow(1, 0, columns_); }

KeysValues KeyValueCache::view() const {
  const Tensor both = used();
  return {.keys = both.select(2, 0).transpose(1, 2), .values = both.select(2, 1).transpose(1, 2)};
}

void KeyValueCache::reserve(const Tensor& like, int64_t columns) {
  if (buffer_.defined() && buffer_.size(1) >= columns) return;
  const int64_t capacity = std::max(kFirstCapacity, 2 * (columns - 1));
  const Tensor grown = at::empty({rows_, capacity, 2, like.size(2), like.size(3)}, like.options());
  if (columns_ > 0) grown.narrow(1, 0, columns_).copy_(used());
  buffer_ = grown;
}

void KeyValueCache::append(const Tensor& keys, const Tensor& values) {
  TORCH_CHECK(keys.dim() == 4 && keys.size(0) == rows_, "`keys` must be [", rows_, ", columns, heads, d_head], found ",
              keys.sizes());
  const int64_t added = keys.size(1);
  if (records(keys) || (buffer_.defined() && records(buffer_))) {
    const Tensor both = at::stack({keys, values}, 2);
    buffer_ = columns_ > 0 ? at::cat({used(), both}, 1) : both;
  } else {
    reserve(keys, columns_ + added);
    const Tensor slots = buffer_.narrow(0, 0, rows_).narrow(1, columns_, added);
    slots.select(2, 0).copy_(keys);
    slots.select(2, 1).copy_(values);
  }
  columns_ += added;
}

void KeyValueCache::select(const Tensor& rows, int64_t columns) {
  TORCH_CHECK(columns <= columns_, "cannot keep ", columns, " of ", columns_, " columns");
  const Tensor kept = buffer_.defined() ? used().narrow(1, columns_ - columns, columns) : Tensor();
  rows_ = rows.size(0);
  columns_ = columns;
  if (!kept.defined()) return;
  if (records(buffer_)) {
    buffer_ = kept.index_select(0, rows);
    return;
  }
  if (!spare_.defined() || spare_.size(0) < rows_ || spare_.size(1) != buffer_.size(1)) {
    spare_ = at::empty({rows_, buffer_.size(1), 2, buffer_.size(3), buffer_.size(4)}, buffer_.options());
  }
  Tensor to = spare_.narrow(0, 0, rows_).narrow(1, 0, columns);
  at::index_select_out(to, kept, 0, rows);
  std::swap(buffer_, spare_);
}

void KeyValueCache::join(const KeyValueCache& other) {
  const int64_t columns = std::max(columns_, other.columns_);
  const Tensor like = columns_ > 0 ? buffer_ : other.buffer_;
  const auto ending_together = [&](const KeyValueCache& cache) {
    // Zeros, not uninitialized memory: masked values are multiplied by 0, and NaN times 0 is NaN.
    Tensor moved = at::zeros({cache.rows_, columns, 2, like.size(3), like.size(4)}, like.options());
    if (cache.columns_ > 0) moved.narrow(1, columns - cache.columns_, cache.columns_).copy_(cache.used());
    return moved;
  };
  if (columns > 0) buffer_ = at::cat({ending_together(*this), ending_together(other)}, 0);
  rows_ += other.rows_;
  columns_ = columns;
}

}  // namespace heed::nn
