#include "heed_torch/nn/attention/attention_function.h"

#include <ATen/ATen.h>

#include "heed_torch/nn/masks.h"
#include "heed_torch/nn/random/random_draw.h"

namespace heed::nn {
namespace {

/// 1 at the largest number of each row and 0 elsewhere, without gradient. x: float [..., n].
Tensor one_hot_of_largest(const Tensor& x) { return at::zeros_like(x).scatter_(-1, x.argmax(-1, /*keepdim=*/true), 1); }

Tensor without(const Tensor& scores, const Tensor& forbidden) {
  return scores.masked_fill(forbidden, AttentionMask::forbidden_score(scores.scalar_type()));
}

struct Chooser {
  Tensor scores, allowed;
  bool training;

  AttendedPositions operator()(const SoftAttention&) const { return {.weights = within(at::softmax(bounded(), -1))}; }
  AttendedPositions operator()(const SparsemaxAttention&) const { return {.weights = sparsemax(scores, allowed)}; }

  AttendedPositions operator()(const HardAttention& options) const {
    const Tensor log_p = at::log_softmax(bounded(), -1);
    const Tensor certain = log_p.detach();
    if (!training) return {.weights = within(one_hot_of_largest(certain))};
    const Tensor sampled = within(one_hot_of_largest(certain + gumbel_noise(certain)));
    const AttendedPositions chosen{.weights = sampled,
                                   .log_probability = (sampled * log_p).sum(-1),
                                   .entropy = within(-log_p.exp() * log_p).sum(-1)};
    return options.expected_share > 0 ? partly_expected(chosen, log_p, options.expected_share) : chosen;
  }

  AttendedPositions partly_expected(const AttendedPositions& chosen, const Tensor& log_p, double share) const {
    const Tensor expected = uniform_noise(chosen.log_probability).lt(share);
    return {.weights = at::where(expected.unsqueeze(-1), within(log_p.exp()), chosen.weights),
            .log_probability = chosen.log_probability.masked_fill(expected, 0),
            .entropy = chosen.entropy};
  }

  AttendedPositions operator()(const GumbelAttention& options) const {
    const Tensor log_p = at::log_softmax(bounded(), -1);
    if (!training) return {.weights = within(one_hot_of_largest(log_p.detach()))};
    const Tensor relaxed = at::softmax((log_p + gumbel_noise(log_p)) / options.temperature, -1);
    const Tensor sampled = one_hot_of_largest(relaxed.detach());
    return {.weights = within(sampled + (relaxed - relaxed.detach()))};
  }

  Tensor bounded() const { return without(scores, allowed.bitwise_not()); }
  Tensor within(const Tensor& x) const { return x.masked_fill(allowed.bitwise_not(), 0); }
};

}  // namespace

AttendedPositions attend_by(const AttentionFunction& options, const Tensor& scores, const Tensor& allowed,
                            bool training) {
  return std::visit(Chooser{scores, allowed, training}, options);
}

Tensor sparsemax(const Tensor& scores, const Tensor& allowed) {
  const Tensor forbidden = allowed.bitwise_not();
  // In float32, as autocast does for softmax: the sum of two forbidden scores overflows float16.
  const bool low = scores.scalar_type() == at::kHalf || scores.scalar_type() == at::kBFloat16;
  Tensor bounded = without(low ? scores.to(at::kFloat) : scores, forbidden);
  bounded = bounded - bounded.amax(-1, /*keepdim=*/true);  // otherwise large scores would cancel the small ones
  const Tensor z = std::get<0>(bounded.sort(-1, /*descending=*/true));
  const Tensor ranks = at::arange(1, z.size(-1) + 1, z.options());
  const Tensor sums = z.cumsum(-1);
  const Tensor above =
      (1 + ranks * z).gt(sums).sum(-1, /*keepdim=*/true);  // size of the support: at least one, except for NaN
  const Tensor support = above.clamp_min(1);
  const Tensor threshold = (sums.gather(-1, support - 1) - 1) / support;
  return (bounded - threshold).clamp_min(0).masked_fill(forbidden, 0);
}

}  // namespace heed::nn
