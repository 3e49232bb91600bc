#include "heed/models/rows.h"

#include <algorithm>
#include <vector>

#include <ATen/ATen.h>

namespace heed::models {

bool keeps_all(const Tensor& indices, int64_t size) {
  return indices.size(0) == size && at::equal(indices, at::arange(size, indices.options()));
}

Tensor selected(const Tensor& x, const Tensor& rows) { return x.defined() ? x.index_select(0, rows) : Tensor(); }

Tensor continued(const Tensor& x, const Tensor& sentences, const Tensor& parents) {
  if (!x.defined()) return {};
  const Tensor rows = (sentences.unsqueeze(1) * x.size(1) + parents).flatten();  // [S' * beam]
  return x.flatten(0, 1).index_select(0, rows).unflatten(0, parents.sizes());
}

Tensor joined(const Tensor& first, const Tensor& second, int64_t padded, const at::Scalar& value) {
  if (!first.defined()) return {};
  const int64_t length = std::max(first.size(padded), second.size(padded));
  const auto lengthened = [&](const Tensor& x) {
    if (x.size(padded) == length) return x;
    std::vector<int64_t> padding(static_cast<size_t>(2 * (x.dim() - padded)), 0);
    padding.back() = length - x.size(padded);
    return at::constant_pad_nd(x, padding, value);
  };
  return at::cat({lengthened(first), lengthened(second)});
}

Tensor joined(const Tensor& first, const Tensor& second) {
  return first.defined() ? at::cat({first, second}) : Tensor();
}

}  // namespace heed::models
