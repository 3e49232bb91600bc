#include "heed/kernels/attention_step.h"

#include <algorithm>
#include <limits>

#include "heed/kernels/row_loops.h"
#include "heed/kernels/vector_functions.h"

namespace heed::kernels {
namespace {

using Four [[gnu::vector_size(16)]] = float;

using Wide = Lanes<float, 16>;

/// The sums of the lanes of four vectors. Each adds lanes 8 apart first, then 4, 2 and 1 apart.
[[gnu::always_inline]] inline void add_lanes(const Wide& first, const Wide& second, const Wide& third,
                                             const Wide& fourth, Four& sums) {
  using Float = Wide::Part;
  const Float &a = first.part[0], &b = second.part[0], &c = third.part[0], &d = fourth.part[0];
  const Float ab = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
                   __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  const Float cd = __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
                   __builtin_shufflevector(c, d, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  Float all = __builtin_shufflevector(ab, cd, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27) +
              __builtin_shufflevector(ab, cd, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
  all += __builtin_shufflevector(all, all, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
  all += __builtin_shufflevector(all, all, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
  sums = __builtin_shufflevector(all, all, 0, 4, 8, 12);
}
/// The sums of lanes 8 and 4 apart.
[[gnu::always_inline]] inline void add_quarters(const Lanes<float, 8>& lanes, Four& sums) {
  const auto halves = lanes.part[0] + lanes.part[1];
  sums = __builtin_shufflevector(halves, halves, 0, 1, 2, 3) + __builtin_shufflevector(halves, halves, 4, 5, 6, 7);
}
[[gnu::always_inline]] inline void add_quarters(const Lanes<float, 4>& lanes, Four& sums) {
  sums = (lanes.part[0] + lanes.part[2]) + (lanes.part[1] + lanes.part[3]);
}
template <int kWidth>
[[gnu::always_inline]] inline void add_lanes(const Lanes<float, kWidth>& first, const Lanes<float, kWidth>& second,
                                             const Lanes<float, kWidth>& third, const Lanes<float, kWidth>& fourth,
                                             Four& sums) {
  Four a, b, c, d;
  add_quarters(first, a);
  add_quarters(second, b);
  add_quarters(third, c);
  add_quarters(fourth, d);
  const Four ab = __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
  const Four cd = __builtin_shufflevector(c, d, 0, 1, 4, 5) + __builtin_shufflevector(c, d, 2, 3, 6, 7);
  sums = __builtin_shufflevector(ab, cd, 0, 2, 4, 6) + __builtin_shufflevector(ab, cd, 1, 3, 5, 7);
}

/// The scores of four keys.
template <class R>
[[gnu::always_inline]] inline void dot_with_four(const float* query, const float* const* keys, int64_t at,
                                                 int64_t count, Four& scores) {
  using Float = R::Float;
  Float sum[4] = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Float left;
    load(left, query + i);
    for (int k = 0; k < 4; ++k) {
      Float right;
      load(right, keys[k] + at + i);
      sum[k] += left * right;
    }
  }
  add_lanes(sum[0], sum[1], sum[2], sum[3], scores);
  for (; i < count; ++i) {
    for (int k = 0; k < 4; ++k) scores[k] += query[i] * keys[k][at + i];
  }
}

/// kVectors vectors of a context: the weighted sum of values, in registers.
template <class R, int kVectors>
[[gnu::always_inline]] inline void weigh(const float* weights, const float* values, const int64_t* places,
                                         int64_t count, float* context) {
  using Float = R::Float;
  Float sum[kVectors] = {};
  for (int64_t j = 0; j < count; ++j) {
    const float* value = values + places[j];
    for (int v = 0; v < kVectors; ++v) {
      Float lanes;
      load(lanes, value + v * kLanes);
      sum[v] += lanes * weights[j];
    }
  }
  for (int v = 0; v < kVectors; ++v) store(context + v * kLanes, sum[v]);
}

template <class R>
[[gnu::always_inline]] inline void weigh_head(const float* weights, const float* values, const int64_t* places,
                                              int64_t count, int64_t d, float* context) {
  int64_t i = 0;  // as many vectors as fit into registers: the processor prefetches contiguous values, but not distant
                  // ones
  for (; i + 8 * kLanes <= d; i += 8 * kLanes) weigh<R, 8>(weights, values + i, places, count, context + i);
  for (; i + 4 * kLanes <= d; i += 4 * kLanes) weigh<R, 4>(weights, values + i, places, count, context + i);
  if (i + 2 * kLanes <= d) {
    weigh<R, 2>(weights, values + i, places, count, context + i);
    i += 2 * kLanes;
  }
  if (i + kLanes <= d) {
    weigh<R, 1>(weights, values + i, places, count, context + i);
    i += kLanes;
  }
  for (; i < d; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < count; ++j) sum += weights[j] * values[places[j] + i];
    context[i] = sum;
  }
}

/// The softmax of `count` numbers, padded to whole lanes with 0. Terms below e^-60 of the largest also become 0. They
/// do not change a sum, and multiplying numbers close to the smallest float is slow.
template <class R>
[[gnu::always_inline]] inline void softmax(float* row, int64_t count) {
  using Float = R::Float;
  float top = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < count; ++i) top = std::max(top, row[i]);
  const int64_t padded = padded_to_lanes(count);
  std::fill(row + count, row + padded, -std::numeric_limits<float>::infinity());
  Float sum{};
  for (int64_t i = 0; i < padded; i += kLanes) {
    Float lanes;
    load(lanes, row + i);
    lanes -= top;
    const auto seen = lanes > -60;
    exponential(lanes);
    masked(lanes, seen);
    sum += lanes;
    store(row + i, lanes);
  }
  const float factor = 1 / sum_of_lanes(sum);
  for (int64_t i = 0; i < count; ++i) row[i] *= factor;
}

struct DotScores {
  const float* query;
  int64_t d;
  float scale;
  const float* keys;
  const int64_t* places;
  int64_t count;
  float* scores;

  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t j = 0; j < count; j += 4) {
      const float* four[4];
      for (int64_t k = 0; k < 4; ++k) four[k] = keys + places[std::min(j + k, count - 1)];
      Four found;
      dot_with_four<R>(query, four, 0, d, found);
      found *= scale;
      std::memcpy(scores + j, &found, sizeof found);
    }
  }
};

struct AdditiveScores {
  const AdditiveStep& step;
  const float* keys;
  const int64_t* places;
  int64_t count;
  float* scores;

  template <class R>
  [[gnu::always_inline]] void run() const {
    using Float = R::Float;
    for (int64_t j = 0; j < count; ++j) {
      const float* key = keys + places[j];
      const float* added = step.added == nullptr ? nullptr : step.added + j * step.distance;
      Float sum{};
      for_each_vector(step.d, [&] [[gnu::always_inline]] (int64_t i, int64_t lanes) {
        Float unit, asked, weight;
        load_some(unit, key + i, lanes);
        load_some(asked, step.query + i, lanes);
        load_some(weight, step.vector + i, lanes);
        unit += asked;
        if (added != nullptr) {
          load_some(asked, added + i, lanes);
          unit += asked;
        }
        hyperbolic_tangent(unit);
        sum += weight * unit;
      });
      scores[j] = sum_of_lanes(sum);
    }
  }
};

struct SoftmaxScores {
  float* scores;
  int64_t count;
  template <class R>
  [[gnu::always_inline]] void run() const {
    softmax<R>(scores, count);
  }
};

struct WeighValues {
  const float *weights, *values;
  const int64_t* places;
  int64_t count, d;
  float* context;
  template <class R>
  [[gnu::always_inline]] void run() const {
    weigh_head<R>(weights, values, places, count, d, context);
  }
};

struct Attend {
  const AttentionShape& shape;
  const float *query, *keys, *values;
  const int64_t* places;
  int64_t count;
  float *scores, *context;

  template <class R>
  [[gnu::always_inline]] void run() const {
    const int64_t heads = shape.heads, d = shape.d_head, row = padded_to_lanes(count);
    for (int64_t j = 0; j < count; j += 4) {
      const float* four[4];
      for (int64_t k = 0; k < 4; ++k) four[k] = keys + places[std::min(j + k, count - 1)];
      for (int64_t head = 0; head < heads; ++head) {
        Four found;
        dot_with_four<R>(query + head * d, four, head * d, d, found);
        found *= shape.scale;
        std::memcpy(scores + head * row + j, &found, sizeof found);
      }
    }
    for (int64_t head = 0; head < heads; ++head) {
      if (count > 0) softmax<R>(scores + head * row, count);
      weigh_head<R>(scores + head * row, values + head * d, places, count, d, context + head * d);
    }
  }
};

}  // namespace

void attend(const AttentionShape& shape, const float* query, const float* keys, const float* values,
            const int64_t* places, int64_t count, float* scores, float* context) {
  run_vectorized(Attend{shape, query, keys, values, places, count, scores, context});
}

void dot_scores(const float* query, int64_t d, float scale, const float* keys, const int64_t* places, int64_t count,
                float* scores) {
  run_vectorized(DotScores{query, d, scale, keys, places, count, scores});
}
void additive_scores(const AdditiveStep& step, const float* keys, const int64_t* places, int64_t count, float* scores) {
  run_vectorized(AdditiveScores{step, keys, places, count, scores});
}
void softmax_scores(float* scores, int64_t count) { run_vectorized(SoftmaxScores{scores, count}); }
void weigh_values(const float* weights, const float* values, const int64_t* places, int64_t count, int64_t d,
                  float* context) {
  run_vectorized(WeighValues{weights, values, places, count, d, context});
}

}  // namespace heed::kernels
