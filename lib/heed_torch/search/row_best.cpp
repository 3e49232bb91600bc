#include "heed_torch/search/row_best.h"

#include <algorithm>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/topk.h>

#include "heed/search/best_of_row.h"

namespace heed::search {
namespace {

// The rows of a chunk, normalized, stay in the cache. For the whole tensor, new memory would be written.
constexpr int64_t kChunkElements = 1 << 17;

RowBest best_on_cpu(const Tensor& logits, int64_t count) {
  const int64_t rows = logits.size(0);
  const int64_t size = logits.size(1);
  RowBest best{at::empty({rows, count}, logits.options()), at::empty({rows, count}, logits.options().dtype(at::kLong))};
  const auto* values = logits.const_data_ptr<float>();
  auto* best_values = best.logits.mutable_data_ptr<float>();
  auto* best_tokens = best.tokens.mutable_data_ptr<int64_t>();
  at::parallel_for(0, rows, std::max<int64_t>(1, kChunkElements / size), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const auto width = static_cast<size_t>(count);
      best_of_row({values + row * size, static_cast<size_t>(size)}, {best_values + row * count, width},
                  {best_tokens + row * count, width});
    }
  });
  return best;
}

}  // namespace

Tensor logsumexp(const Tensor& logits) {
  const int64_t size = logits.size(-1);
  const Tensor rows = logits.reshape({-1, size});
  const int64_t chunk = std::max<int64_t>(1, rows.device().is_cpu() ? kChunkElements / size : rows.size(0));
  std::vector<Tensor> sums;
  for (const Tensor& part : rows.split(chunk)) {
    // The fused log-softmax is faster than torch's logsumexp; its largest value is max - logsumexp.
    sums.push_back(at::amax(part, -1, true) - at::amax(at::log_softmax(part, -1), -1, true));
  }
  auto shape = logits.sizes().vec();
  shape.back() = 1;
  return at::cat(sums).view(shape);
}

RowBest best_of_rows(const Tensor& logits, int64_t count) {
  TORCH_CHECK(logits.dim() == 2, "logits must be [rows, V], but have ", logits.dim(), " dimensions");
  TORCH_CHECK(count >= 1 && count <= logits.size(1), "count must be from 1 to ", logits.size(1), ", but is ", count);
  const Tensor values = logits.to(at::kFloat).contiguous();
  // For longer lists, insertion is slower than torch.topk.
  constexpr int64_t kLongestList = 128;
  if (values.device().is_cpu() && count <= kLongestList) return best_on_cpu(values, count);
  auto [best, tokens] = at::topk(values, count, -1);
  return {std::move(best), std::move(tokens)};
}

}  // namespace heed::search
