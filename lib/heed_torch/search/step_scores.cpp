#include "heed_torch/search/step_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <ATen/TensorOperators.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/logaddexp.h>
#include <ATen/ops/zeros_like.h>

namespace heed::search {

Tensor logsumexp(const Tensor& logits) {
  // The rows of a chunk, normalized, stay in the cache. For the whole tensor, new memory would be written.
  constexpr int64_t kChunkElements = 1 << 17;
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

StepScores ensemble_scores(std::span<const double> weights, const std::function<StepScores(size_t member)>& step) {
  StepScores mean;
  double with_attention = 0;
  for (size_t m = 0; m < weights.size(); ++m) {
    const StepScores scores = step(m);
    Tensor log_probabilities = scores.logits - scores.logsumexp;
    if (weights[m] != 1) log_probabilities.add_(std::log(weights[m]));
    mean.logits = mean.logits.defined() ? at::logaddexp(mean.logits, log_probabilities) : log_probabilities;
    mean.logsumexp = scores.logsumexp;
    const bool same_places = !mean.attention.defined() || mean.attention.sizes() == scores.attention.sizes();
    if (!scores.attention.defined() || !same_places) continue;
    mean.attention = mean.attention.defined() ? mean.attention + scores.attention : scores.attention;
    ++with_attention;
  }
  mean.logits.sub_(std::log(std::accumulate(weights.begin(), weights.end(), 0.0)));
  mean.logsumexp.zero_();
  if (mean.attention.defined()) mean.attention = mean.attention / with_attention;
  return mean;
}

StepScores fused_scores(StepScores translation, const StepScores& language, double weight) {
  translation.logits = translation.logits - translation.logsumexp + weight * (language.logits - language.logsumexp);
  translation.logsumexp = at::zeros_like(translation.logsumexp);
  return translation;
}

}  // namespace heed::search
