#include "heed_torch/nn/losses/row_losses.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/log_softmax.h>

#include "heed/kernels/loss_kernel.h"

namespace heed::nn {
namespace {

bool has_kernel(const Tensor& logits) { return logits.is_cpu() && logits.scalar_type() == at::kFloat; }

uint16_t* rounded_of(const LossOutput& output, size_t pass) {
  return output.rounded.empty() ? nullptr : static_cast<uint16_t*>(output.rounded[pass].mutable_data_ptr());
}

struct RowEntropies {
  Tensor nll, smoothed;  // [rows]
};

RowEntropies row_entropies(const Tensor& log_probability, const Tensor& targets, double smoothing) {
  const Tensor nll = -log_probability.gather(1, targets.unsqueeze(1)).squeeze(1);
  return {.nll = nll, .smoothed = nll * (1 - smoothing) - log_probability.mean(1) * smoothing};
}

// p - (1 - s) [v = target] - s / V, in place.
Tensor without_target(Tensor p, const Tensor& targets, double smoothing) {
  p.sub_(smoothing / static_cast<double>(p.size(1)));
  return p.scatter_add_(1, targets.unsqueeze(1), at::full({p.size(0), 1}, smoothing - 1, p.options()));
}

}  // namespace

Tensor write_losses(Tensor logits, const LossOutput& output) {
  if (has_kernel(logits)) {
    const kernels::LossRows work{.logits = logits.mutable_data_ptr<float>(),
                                 .targets = output.targets.const_data_ptr<int64_t>(),
                                 .loss = output.loss[0].mutable_data_ptr<float>(),
                                 .nll = output.nll[0].mutable_data_ptr<float>(),
                                 .rounded = rounded_of(output, 0),
                                 .vocabulary = logits.size(1),
                                 .smoothing = output.smoothing,
                                 .gradient = output.gradient};
    at::parallel_for(0, logits.size(0), /*grain_size=*/4,
                     [&work](int64_t begin, int64_t end) { kernels::compute_loss_rows(work, begin, end); });
    return logits;
  }
  Tensor log_probability = at::log_softmax(logits, 1);
  const RowEntropies entropies = row_entropies(log_probability, output.targets, output.smoothing);
  output.nll[0].copy_(entropies.nll);
  output.loss[0].copy_(entropies.smoothed);
  if (!output.gradient) return {};
  return without_target(log_probability.exp_(), output.targets, output.smoothing);
}

Tensor write_r_drop_losses(Tensor logits, const LossOutput& output, double alpha) {
  const int64_t rows = logits.size(0) / 2;
  if (has_kernel(logits)) {
    const kernels::RDropRows work{
        .logits = logits.mutable_data_ptr<float>(),
        .targets = output.targets.const_data_ptr<int64_t>(),
        .loss = {output.loss[0].mutable_data_ptr<float>(), output.loss[1].mutable_data_ptr<float>()},
        .nll = {output.nll[0].mutable_data_ptr<float>(), output.nll[1].mutable_data_ptr<float>()},
        .rounded = {rounded_of(output, 0), rounded_of(output, 1)},
        .pairs = rows,
        .vocabulary = logits.size(1),
        .smoothing = output.smoothing,
        .alpha = alpha,
        .gradient = output.gradient};
    at::parallel_for(0, rows, /*grain_size=*/2,
                     [&work](int64_t begin, int64_t end) { kernels::compute_r_drop_rows(work, begin, end); });
    return logits;
  }
  const Tensor log_probability = at::log_softmax(logits, 1);
  std::vector<Tensor> gradients;
  for (int64_t pass = 0; pass < 2; ++pass) {
    const Tensor log_p = log_probability.narrow(0, pass * rows, rows), p = log_p.exp();
    const Tensor log_q = log_probability.narrow(0, (1 - pass) * rows, rows);
    const Tensor difference = log_p - log_q, divergence = (p * difference).sum(1, /*keepdim=*/true);
    const RowEntropies entropies = row_entropies(log_p, output.targets, output.smoothing);
    const double weight = alpha / 4;
    output.nll[pass].copy_(entropies.nll / 2);
    output.loss[pass].copy_(entropies.smoothed / 2 + divergence.squeeze(1) * weight);
    if (!output.gradient) continue;
    gradients.push_back(without_target(p.clone(), output.targets, output.smoothing) / 2 +
                        (p * (difference - divergence) + p - log_q.exp()) * weight);
  }
  return gradients.empty() ? Tensor() : at::cat(gradients);
}

}  // namespace heed::nn
