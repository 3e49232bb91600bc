#include "heed/kernels/loss_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heed/kernels/row_loops.h"
#include "heed/kernels/vector_functions.h"

namespace heed::kernels {
namespace {

// Rounds a row, which is still in the cache.
template <class R>
[[gnu::always_inline]] inline void round_row(float* row, int64_t size, uint16_t* to) {
  for_lanes<R>(row, size, 0, [&] [[gnu::always_inline]] (const R::Float& number, const float* place, int64_t count) {
    store_some_rounded(to + (place - row), number, count);
  });
}

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

  // softmax - (1 - s) [v = target] - s / V, from the terms. to: for the bits of bfloat16; null: replaces the terms.
  template <class R>
  [[gnu::always_inline]] void gradient(float* row, int64_t target, double sum, uint16_t* to) const {
    using Float = R::Float;
    const auto factor = static_cast<float>(1 / sum);
    const auto share = static_cast<float>(rows.smoothing / static_cast<double>(rows.vocabulary));
    const auto of_target = static_cast<float>(1 - rows.smoothing);
    for_lanes<R>(row, rows.vocabulary, 0, [&] [[gnu::always_inline]] (const Float& term, float* place, int64_t count) {
      const Float number = term * factor - share;
      if (to == nullptr) {
        store_some(place, number, count);
      } else {
        store_some_rounded(to + (place - row), number, count);
      }
    });
    if (to == nullptr) {
      row[target] -= of_target;
    } else {
      store_some_rounded(to + target, Float(row[target]) * factor - share - of_target, 1);
    }
  }

  template <class R>
  [[gnu::always_inline]] void one_row(int64_t i) const {
    float* row = rows.logits + i * rows.vocabulary;
    uint16_t* to = !rows.gradient || rows.rounded == nullptr ? nullptr : rows.rounded + i * rows.vocabulary;
    const int64_t target = rows.targets[i];
    const double target_logit = row[target];
    double logits_sum = 0;
    const float top = largest_and_sum<R>(row, rows.vocabulary, logits_sum);
    if (!std::isfinite(logits_sum)) {
      rows.loss[i] = rows.nll[i] = std::numeric_limits<float>::quiet_NaN();
      if (rows.gradient) std::fill(row, row + rows.vocabulary, rows.nll[i]);
      if (to != nullptr) round_row<R>(row, rows.vocabulary, to);
      return;
    }
    const double sum = exponentials<R>(row, top);
    const double log_sum = top + std::log(sum);
    const double nll = log_sum - target_logit;
    const double uniform = log_sum - logits_sum / static_cast<double>(rows.vocabulary);
    rows.nll[i] = static_cast<float>(nll);
    rows.loss[i] = static_cast<float>((1 - rows.smoothing) * nll + rows.smoothing * uniform);
    if (rows.gradient) gradient<R>(row, target, sum, to);
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t i = begin; i < end; ++i) one_row<R>(i);
  }
};

constexpr float kNothing = -std::numeric_limits<float>::max();  // the logit of what has no probability

struct RDropKernel {
  const RDropRows& rows;
  int64_t begin, end;

  // The numbers of one pass at the position.
  struct Pass {
    float* logits;
    double log_sum;  // log sum exp z
    double nll;
    double smoothed;  // (1 - s) nll + s / V * sum_v -log p_v
    bool finite;
  };

  // log sum exp z - top
  template <class R>
  [[gnu::always_inline]] double log_sum_above(float* row, float top) const {
    using Float = R::Float;
    Sum<R> terms;
    for_lanes<R>(row, rows.vocabulary, kNothing, [&] [[gnu::always_inline]] (const Float& z, float*, int64_t) {
      Float term = z - top;
      exponential(term);
      terms.add(term);
    });
    return std::log(terms.value());
  }

  template <class R>
  [[gnu::always_inline]] Pass read(int64_t pass, int64_t i) const {
    Pass made{.logits = rows.logits + (pass * rows.pairs + i) * rows.vocabulary,
              .log_sum = 0,
              .nll = 0,
              .smoothed = 0,
              .finite = true};
    double sum = 0;
    const float top = largest_and_sum<R>(made.logits, rows.vocabulary, sum);
    made.finite = std::isfinite(sum);
    if (!made.finite) return made;
    made.log_sum = top + log_sum_above<R>(made.logits, top);
    made.nll = made.log_sum - made.logits[rows.targets[i]];
    const double uniform = made.log_sum - sum / static_cast<double>(rows.vocabulary);
    made.smoothed = (1 - rows.smoothing) * made.nll + rows.smoothing * uniform;
    return made;
  }

  // Calls use(p, q, log p - log q, place, count) along the rows of the two passes. place: in the row of the first pass.
  template <class R, class Use>
  [[gnu::always_inline]] void along(const Pass& a, const Pass& b, const Use& use) const {
    using Float = R::Float;
    const auto log_a = static_cast<float>(a.log_sum), log_b = static_cast<float>(b.log_sum);
    const int64_t between = b.logits - a.logits;
    for_lanes<R>(a.logits, rows.vocabulary, kNothing,
                 [&] [[gnu::always_inline]] (const Float& z, float* place, int64_t count) {
                   Float other;
                   float rest[kLanes];
                   const float* from = place + between;
                   if (count < kLanes) {
                     std::fill(rest, rest + kLanes, kNothing);
                     std::copy(from, from + count, rest);
                     from = rest;
                   }
                   load(other, from);
                   Float p = z - log_a, q = other - log_b;
                   const Float difference = p - q;
                   exponential(p);
                   exponential(q);
                   use(p, q, difference, place, count);
                 });
  }

  [[gnu::always_inline]] void fail(const Pass& a, const Pass& b, int64_t i) const {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (int pass = 0; pass < 2; ++pass) rows.loss[pass][i] = rows.nll[pass][i] = nan;
    if (!rows.gradient) return;
    std::fill(a.logits, a.logits + rows.vocabulary, nan);
    std::fill(b.logits, b.logits + rows.vocabulary, nan);
  }

  // (p - smoothed target) / 2 + alpha / 4 (p (log p - log q - KL(p, q)) + p - q), and likewise for q
  template <class R>
  [[gnu::always_inline]] void gradient(const Pass& a, const Pass& b, int64_t target, double p_to_q,
                                       double q_to_p) const {
    using Float = R::Float;
    const auto share = static_cast<float>(rows.smoothing / static_cast<double>(rows.vocabulary) / 2);
    const auto weight = static_cast<float>(rows.alpha / 4);
    const auto forward = static_cast<float>(p_to_q), backward = static_cast<float>(q_to_p);
    const int64_t between = b.logits - a.logits;
    along<R>(a, b,
             [&] [[gnu::always_inline]] (const Float& p, const Float& q, const Float& difference, float* place,
                                         int64_t count) {
               const Float apart = p - q;
               store_some(place, p * 0.5F - share + weight * (p * (difference - forward) + apart), count);
               store_some(place + between, q * 0.5F - share - weight * (q * (difference + backward) + apart), count);
             });
    const auto of_target = static_cast<float>((1 - rows.smoothing) / 2);
    a.logits[target] -= of_target;
    b.logits[target] -= of_target;
  }

  template <class R>
  [[gnu::always_inline]] void one_pair(int64_t i) const {
    using Float = R::Float;
    const Pass a = read<R>(0, i), b = read<R>(1, i);
    if (!a.finite || !b.finite) {
      fail(a, b, i);
      return write_rounded<R>(a, b, i);
    }
    Sum<R> of_p, of_q;
    along<R>(a, b,
             [&] [[gnu::always_inline]] (const Float& p, const Float& q, const Float& difference, float*, int64_t) {
               of_p.add(p * difference);
               of_q.add(q * difference);
             });
    const double p_to_q = of_p.value(), q_to_p = -of_q.value();
    rows.loss[0][i] = static_cast<float>(a.smoothed / 2 + rows.alpha / 4 * p_to_q);
    rows.loss[1][i] = static_cast<float>(b.smoothed / 2 + rows.alpha / 4 * q_to_p);
    rows.nll[0][i] = static_cast<float>(a.nll / 2);
    rows.nll[1][i] = static_cast<float>(b.nll / 2);
    if (rows.gradient) gradient<R>(a, b, rows.targets[i], p_to_q, q_to_p);
    write_rounded<R>(a, b, i);
  }

  template <class R>
  [[gnu::always_inline]] void write_rounded(const Pass& a, const Pass& b, int64_t i) const {
    if (!rows.gradient || rows.rounded[0] == nullptr) return;
    round_row<R>(a.logits, rows.vocabulary, rows.rounded[0] + i * rows.vocabulary);
    round_row<R>(b.logits, rows.vocabulary, rows.rounded[1] + i * rows.vocabulary);
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t i = begin; i < end; ++i) one_pair<R>(i);
  }
};

}  // namespace

void compute_loss_rows(const LossRows& rows, int64_t begin, int64_t end) {
  run_vectorized(LossKernel{rows, begin, end});
}

void compute_r_drop_rows(const RDropRows& rows, int64_t begin, int64_t end) {
  run_vectorized(RDropKernel{rows, begin, end});
}

}  // namespace heed::kernels
