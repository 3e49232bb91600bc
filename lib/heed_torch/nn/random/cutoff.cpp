#include "heed_torch/nn/random/cutoff.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/minimum.h>

#include "heed_torch/nn/random/random_draw.h"

namespace heed::nn {
namespace {

thread_local const CutoffScope* open_cutoff = nullptr;

/// Which elements of x are kept: bool, of a shape that broadcasts to that of x, [S, tokens, d].
struct Kept {
  const Tensor& x;
  const Tensor& tokens;  // int64 [S, tokens]

  Tensor operator()(const NoCutoff&) const { return at::empty({0}); }
  Tensor operator()(const TokenCutoff& o) const { return noise(x.size(1), 1) >= o.share; }
  Tensor operator()(const FeatureCutoff& o) const { return noise(1, x.size(2)) >= o.share; }
  Tensor operator()(const SpanCutoff& o) const {
    const Tensor length = (tokens != 0).sum(1, /*keepdim=*/true).to(at::kFloat);  // [S, 1]
    const Tensor span = (length * o.share).round().clamp_min(1);
    const Tensor last = (length - span).clamp_min(0);  // where the span may begin at most
    const Tensor begin = at::minimum((noise(1, 1).squeeze(2) * (last + 1)).floor(), last);
    const Tensor place = at::arange(x.size(1), length.options()).unsqueeze(0);
    return ((place < begin) | (place >= begin + span)).unsqueeze(2);
  }

 private:
  Tensor noise(int64_t places, int64_t components) const {
    return uniform_noise(at::empty({x.size(0), places, components}, x.options().dtype(at::kFloat)));
  }
};

}  // namespace

CutoffScope::CutoffScope(const CutoffOptions& options) : options_(options), outer_(open_cutoff) { open_cutoff = this; }

CutoffScope::~CutoffScope() { open_cutoff = outer_; }

Tensor cut_second_pass(const Tensor& x, const Tensor& tokens) {
  if (open_cutoff == nullptr || !open_cutoff->options_.cuts()) return x;
  TORCH_CHECK(x.dim() == 3 && x.size(0) % 2 == 0, "two passes over sentences have [2 S, tokens, d] vectors, not ",
              x.sizes());
  const int64_t sentences = x.size(0) / 2;
  const Tensor second = x.narrow(0, sentences, sentences), ids = tokens.narrow(0, sentences, sentences);
  const Tensor kept = std::visit(Kept{second, ids}, open_cutoff->options_.type);
  return at::cat({x.narrow(0, 0, sentences), second * kept.to(x.scalar_type())});
}

}  // namespace heed::nn
