#include "heed/engine/kernels/attention_step.h"

#include <algorithm>
#include <limits>

#include "heed/engine/kernels/lane_loops.h"
#include "heed/nn/kernels/row_lanes.h"
#include "heed/nn/kernels/vector_functions.h"

namespace heed::engine {
namespace {

using namespace nn::vector_code;

using Four [[gnu::vector_size(16)]] = float;

/// The sums of the lanes of four vectors, in a tree.
[[gnu::always_inline]] inline void add_lanes(const Float& a, const Float& b, const Float& c, const Float& d,
                                             Four& sums) {
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

/// The scores of four keys.
[[gnu::always_inline]] inline void dot_with_four(const float* query, const float* const* keys, int64_t at,
                                                 int64_t count, Four& scores) {
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

/// kVectors vectors of a context: the values weighed, summed in registers.
template <int kVectors>
[[gnu::always_inline]] inline void weigh(const float* weights, const float* values, const int64_t* places,
                                         int64_t count, float* context) {
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

[[gnu::always_inline]] inline void weigh_head(const float* weights, const float* values, const int64_t* places,
                                              int64_t count, int64_t d, float* context) {
  int64_t i = 0;  // as much as registers hold: values in a row are read ahead by the processor, those far apart are not
  for (; i + 8 * kLanes <= d; i += 8 * kLanes) weigh<8>(weights, values + i, places, count, context + i);
  for (; i + 4 * kLanes <= d; i += 4 * kLanes) weigh<4>(weights, values + i, places, count, context + i);
  if (i + 2 * kLanes <= d) {
    weigh<2>(weights, values + i, places, count, context + i);
    i += 2 * kLanes;
  }
  if (i + kLanes <= d) {
    weigh<1>(weights, values + i, places, count, context + i);
    i += kLanes;
  }
  for (; i < d; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < count; ++j) sum += weights[j] * values[places[j] + i];
    context[i] = sum;
  }
}

/// Of `count` numbers, in whole lanes; what is behind becomes 0. So does what is below e^-60 of the largest: it changes
/// no sum, and numbers near the least that floats have are slow to multiply.
[[gnu::always_inline]] inline void softmax(float* row, int64_t count) {
  float top = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < count; ++i) top = std::max(top, row[i]);
  const int64_t padded = whole_lanes(count);
  std::fill(row + count, row + padded, -std::numeric_limits<float>::infinity());
  Float sum{};
  for (int64_t i = 0; i < padded; i += kLanes) {
    Float lanes;
    load(lanes, row + i);
    lanes -= top;
    const Int seen = lanes > -60;
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

  [[gnu::always_inline]] void operator()() const {
    for (int64_t j = 0; j < count; j += 4) {
      const float* four[4];
      for (int64_t k = 0; k < 4; ++k) four[k] = keys + places[std::min(j + k, count - 1)];
      Four found;
      dot_with_four(query, four, 0, d, found);
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

  [[gnu::always_inline]] void operator()() const {
    for (int64_t j = 0; j < count; ++j) {
      const float* key = keys + places[j];
      const float* added = step.added == nullptr ? nullptr : step.added + j * step.distance;
      Float sum{};
      for_each_vector(step.d, [&] [[gnu::always_inline]] (int64_t i, int64_t lanes) {
        Float unit, asked, weight;
        engine::load_some(unit, key + i, lanes);
        engine::load_some(asked, step.query + i, lanes);
        engine::load_some(weight, step.vector + i, lanes);
        unit += asked;
        if (added != nullptr) {
          engine::load_some(asked, added + i, lanes);
          unit += asked;
        }
        nn::vector_code::hyperbolic_tangent(unit);
        sum += weight * unit;
      });
      scores[j] = sum_of_lanes(sum);
    }
  }
};

struct SoftmaxScores {
  float* scores;
  int64_t count;
  [[gnu::always_inline]] void operator()() const { softmax(scores, count); }
};

struct WeighValues {
  const float *weights, *values;
  const int64_t* places;
  int64_t count, d;
  float* context;
  [[gnu::always_inline]] void operator()() const { weigh_head(weights, values, places, count, d, context); }
};

struct Attend {
  const AttentionShape& shape;
  const float *query, *keys, *values;
  const int64_t* places;
  int64_t count;
  float *scores, *context;

  [[gnu::always_inline]] void operator()() const {
    const int64_t heads = shape.heads, d = shape.d_head, row = whole_lanes(count);
    for (int64_t j = 0; j < count; j += 4) {
      const float* four[4];
      for (int64_t k = 0; k < 4; ++k) four[k] = keys + places[std::min(j + k, count - 1)];
      for (int64_t head = 0; head < heads; ++head) {
        Four found;
        dot_with_four(query + head * d, four, head * d, d, found);
        found *= shape.scale;
        std::memcpy(scores + head * row + j, &found, sizeof found);
      }
    }
    for (int64_t head = 0; head < heads; ++head) {
      if (count > 0) softmax(scores + head * row, count);
      weigh_head(scores + head * row, values + head * d, places, count, d, context + head * d);
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

}  // namespace heed::engine
