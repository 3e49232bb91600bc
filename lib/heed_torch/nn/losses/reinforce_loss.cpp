#include "heed_torch/nn/losses/reinforce_loss.h"

#include <ATen/ATen.h>

namespace heed::nn {
namespace {

// Small, so that the baseline does not affect the clipping of the model's gradient. Adam's step does not depend on it.
constexpr double kBaselineWeight = 0.01;

/// For each position, the sum of its value and the following ones; if `horizon` is given, of `horizon` values in all.
/// x: float [S, T].
Tensor sums_from_here(const Tensor& x, const std::optional<int64_t>& horizon) {
  const Tensor suffix = x.flip(1).cumsum(1).flip(1);
  if (!horizon || *horizon >= x.size(1)) return suffix;
  return suffix - at::constant_pad_nd(suffix.narrow(1, *horizon, x.size(1) - *horizon), {0, *horizon});
}

}  // namespace

Tensor reinforce_loss(const SampledPositions& samples, const Tensor& losses, const Tensor& real) {
  const HardAttention& options = samples.options;
  const Tensor is_real = real.to(losses.scalar_type());
  const Tensor answered = sums_from_here(losses, options.horizon);              // R
  const Tensor tokens = sums_from_here(is_real, options.horizon).clamp_min(1);  // n
  const Tensor advantage = answered - tokens * samples.baseline.detach();
  const Tensor error = samples.baseline - answered / tokens;
  Tensor sum = samples.log_probability * advantage + 0.5 * kBaselineWeight * error.square();
  if (options.entropy_weight != 0) sum = sum - options.entropy_weight * samples.entropy;
  sum = (sum * is_real).sum();
  return sum - sum.detach();
}

}  // namespace heed::nn
