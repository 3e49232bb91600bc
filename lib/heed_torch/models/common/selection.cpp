#include "heed_torch/models/common/selection.h"

#include <ATen/ATen.h>

namespace heed::models {
namespace {

/// Whether indices are 0, 1, ..., size - 1. indices: int64 [n] on the CPU.
bool counts_up(const Tensor& indices, int64_t size) {
  return indices.size(0) == size && at::equal(indices, at::arange(size, indices.options()));
}

Tensor hypotheses_of(const Tensor& sentences, const Tensor& parents) {
  return (sentences.unsqueeze(1) * parents.size(1) + parents).flatten();
}

}  // namespace

Selection::Selection(const Tensor& host_sentences, const Tensor& host_parents, const Tensor& device_sentences,
                     const Tensor& device_parents)
    : host_sentences_(host_sentences),
      host_parents_(host_parents),
      sentences_(device_sentences),
      parents_(device_parents) {
  TORCH_CHECK(host_sentences.is_cpu() && host_parents.is_cpu(), "the selected hypotheses must be known on the host");
}

Tensor Selection::hypotheses() const { return hypotheses_of(sentences_, parents_); }

bool Selection::keeps_sentences(int64_t count) const { return counts_up(host_sentences_, count); }

bool Selection::keeps_hypotheses(int64_t count) const {
  return counts_up(hypotheses_of(host_sentences_, host_parents_), count * host_parents_.size(1));
}

void Selection::check_beam(int64_t beam) const {
  TORCH_CHECK(host_parents_.dim() == 2 && host_parents_.size(0) == size() && host_parents_.size(1) == beam,
              "`parents` must be [", size(), ", ", beam, "], found ", host_parents_.sizes());
}

}  // namespace heed::models
