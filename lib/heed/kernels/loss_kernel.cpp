#include "heed/kernels/loss_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heed/kernels/row_loops.h"
#include "heed/kernels/vector_functions.h"

namespace heed::kernels {
namespace {

struct LossKernel {
  const LossRows& rows;
  int64_t begin, end;

  // sum exp(z - top). If the gradient is needed, the terms replace the logits.
  template <class R>
  [[gnu::always_inline]] double exponentials(float* row, float top) const {
    using Float = R::Float;
    Sum<R> terms;
    for_lanes<R>(row, rows.vocabulary, -std::numeric_limits<float>::max(),
                 [&] [[gnu::always_inline]] (const Float& z, float* place, int64_t count) {
                   Float term = z - top;
                   exponential(term);
                   terms.add(term);
                   if (rows.gradient) store_some(place, term, count);
                 });
    return terms.value();
  }

  // softmax - (1 - s) [v = target] - s / V, from the terms.
  template <class R>
  [[gnu::always_inline]] void gradient(float* row, int64_t target, double sum) const {
    const auto factor = static_cast<float>(1 / sum);
    const auto share = static_cast<float>(rows.smoothing / static_cast<double>(rows.vocabulary));
    for_lanes<R>(row, rows.vocabulary, 0,
                 [&] [[gnu::always_inline]] (const R::Float& term, float* place, int64_t count) {
                   store_some(place, term * factor - share, count);
                 });
    row[target] -= static_cast<float>(1 - rows.smoothing);
  }

  template <class R>
  [[gnu::always_inline]] void one_row(int64_t i) const {
    float* row = rows.logits + i * rows.vocabulary;
    const int64_t target = rows.targets[i];
    const double target_logit = row[target];
    double logits_sum = 0;
    const float top = largest_and_sum<R>(row, rows.vocabulary, logits_sum);
    if (!std::isfinite(logits_sum)) {
      rows.loss[i] = rows.nll[i] = std::numeric_limits<float>::quiet_NaN();
      if (rows.gradient) std::fill(row, row + rows.vocabulary, rows.nll[i]);
      return;
    }
    const double sum = exponentials<R>(row, top);
    const double log_sum = top + std::log(sum);
    const double nll = log_sum - target_logit;
    const double uniform = log_sum - logits_sum / static_cast<double>(rows.vocabulary);
    rows.nll[i] = static_cast<float>(nll);
    rows.loss[i] = static_cast<float>((1 - rows.smoothing) * nll + rows.smoothing * uniform);
    if (rows.gradient) gradient<R>(row, target, sum);
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t i = begin; i < end; ++i) one_row<R>(i);
  }
};

}  // namespace

void compute_loss_rows(const LossRows& rows, int64_t begin, int64_t end) {
  run_vectorized(LossKernel{rows, begin, end});
}

}  // namespace heed::kernels
