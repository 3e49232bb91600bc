#include "heed/nn/loss_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heed/nn/vector_code.h"
#include "heed/nn/vector_functions.h"

namespace heed::nn {
namespace {

using namespace vector_code;

// Calls use(lanes, from, count) along a row; the last call may have fewer than kLanes real numbers, then `fill`.
template <class Use>
[[gnu::always_inline]] inline void for_lanes(float* row, int64_t size, float fill, const Use& use) {
  Float lanes;
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    load(lanes, row + i);
    use(lanes, row + i, kLanes);
  }
  if (i == size) return;
  float rest[kLanes];
  std::fill(rest, rest + kLanes, fill);
  std::copy(row + i, row + size, rest);
  load(lanes, rest);
  use(lanes, row + i, size - i);
}

[[gnu::always_inline]] inline void store_some(float* to, const Float& lanes, int64_t count) {
  if (count == kLanes) return store(to, lanes);
  for (int64_t i = 0; i < count; ++i) to[i] = lanes[i];
}

// Sums in float within stretches of a row and in double between them, so that a large vocabulary costs no digits.
struct Sum {
  static constexpr int64_t kStretch = 32;
  Float stretch{};
  Double total{};
  int64_t added = 0;

  [[gnu::always_inline]] void add(const Float& lanes) {
    stretch += lanes;
    if (++added % kStretch == 0) flush();
  }
  [[gnu::always_inline]] void flush() {
    total += __builtin_convertvector(stretch, Double);
    stretch = Float{};
  }
  [[gnu::always_inline]] double value() {
    flush();
    double sum = 0;
    for (int64_t i = 0; i < kLanes; ++i) sum += total[i];
    return sum;
  }
};

struct LossKernel {
  const LossRows& rows;
  int64_t begin, end;

  // The row's largest logit; `sum` gets the sum of all.
  [[gnu::always_inline]] float largest(float* row, double& sum) const {
    Float top = Float{} + row[0];
    Sum logits;
    for_lanes(row, rows.vocabulary, 0, [&] [[gnu::always_inline]] (const Float& z, float*, int64_t count) {
      logits.add(z);
      if (count == kLanes) top = z > top ? z : top;
    });
    float result = top[0];
    for (int64_t i = 1; i < kLanes; ++i) result = std::max(result, top[i]);
    for (int64_t v = rows.vocabulary / kLanes * kLanes; v < rows.vocabulary; ++v) result = std::max(result, row[v]);
    sum = logits.value();
    return result;
  }

  // sum exp(z - top); where the gradient is wanted the terms take the logits' place.
  [[gnu::always_inline]] double exponentials(float* row, float top) const {
    Sum terms;
    for_lanes(row, rows.vocabulary, -std::numeric_limits<float>::max(),
              [&] [[gnu::always_inline]] (const Float& z, float* place, int64_t count) {
                Float term = z - top;
                exponential(term);
                terms.add(term);
                if (rows.gradient) store_some(place, term, count);
              });
    return terms.value();
  }

  // softmax - (1 - s) [v = target] - s / V, from the terms.
  [[gnu::always_inline]] void gradient(float* row, int64_t target, double sum) const {
    const auto factor = static_cast<float>(1 / sum);
    const auto share = static_cast<float>(rows.smoothing / static_cast<double>(rows.vocabulary));
    for_lanes(row, rows.vocabulary, 0, [&] [[gnu::always_inline]] (const Float& term, float* place, int64_t count) {
      store_some(place, term * factor - share, count);
    });
    row[target] -= static_cast<float>(1 - rows.smoothing);
  }

  [[gnu::always_inline]] void one_row(int64_t i) const {
    float* row = rows.logits + i * rows.vocabulary;
    const int64_t target = rows.targets[i];
    const double target_logit = row[target];
    double logits_sum = 0;
    const float top = largest(row, logits_sum);
    if (!std::isfinite(logits_sum)) {
      rows.loss[i] = rows.nll[i] = std::numeric_limits<float>::quiet_NaN();
      if (rows.gradient) std::fill(row, row + rows.vocabulary, rows.nll[i]);
      return;
    }
    const double sum = exponentials(row, top);
    const double log_sum = top + std::log(sum);
    const double nll = log_sum - target_logit;
    const double uniform = log_sum - logits_sum / static_cast<double>(rows.vocabulary);
    rows.nll[i] = static_cast<float>(nll);
    rows.loss[i] = static_cast<float>((1 - rows.smoothing) * nll + rows.smoothing * uniform);
    if (rows.gradient) gradient(row, target, sum);
  }

  [[gnu::always_inline]] void operator()() const {
    for (int64_t i = begin; i < end; ++i) one_row(i);
  }
};

}  // namespace

void compute_loss_rows(const LossRows& rows, int64_t begin, int64_t end) {
  run_vectorized(LossKernel{rows, begin, end});
}

}  // namespace heed::nn
