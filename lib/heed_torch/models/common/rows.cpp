#include "heed_torch/models/common/rows.h"

#include <algorithm>
#include <vector>

#include <ATen/ATen.h>

namespace heed::models {

Tensor selected(const Tensor& x, const Tensor& rows) { return x.defined() ? x.index_select(0, rows) : Tensor(); }

Tensor continued(const Tensor& x, const Selection& going_on) {
  if (!x.defined()) return {};
  return x.flatten(0, 1).index_select(0, going_on.hypotheses()).unflatten(0, going_on.parents().sizes());
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
