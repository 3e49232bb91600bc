#include "heed/engine/kernels/attention_step.h"

#include <algorithm>
#include <limits>

#include "heed/nn/kernels/row_lanes.h"
#include "heed/nn/kernels/vector_functions.h"

namespace heed::engine {
namespace {

using namespace nn::vector_code;

/// The sum of all lanes, in a tree.
[[gnu::always_inline]] inline void add_lanes(const Float& lanes, float& sum) {
  using Half [[gnu::vector_size(32)]] = float;
  using Quarter [[gnu::vector_size(16)]] = float;
  Half low, high;
  std::memcpy(&low, &lanes, sizeof low);
  std::memcpy(&high, reinterpret_cast<const char*>(&lanes) + sizeof low, sizeof high);
  low += high;
  Quarter first, second;
  std::memcpy(&first, &low, sizeof first);
  std::memcpy(&second, reinterpret_cast<const char*>(&low) + sizeof first, sizeof second);
  first += second;
  sum = (first[0] + first[1]) + (first[2] + first[3]);
}

[[gnu::always_inline]] inline void dot(const float* a, const float* b, int64_t count, float& result) {
  Float sum{};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Float left, right;
    load(left, a + i);
    load(right, b + i);
    sum += left * right;
  }
  add_lanes(sum, result);
  for (; i < count; ++i) result += a[i] * b[i];
}

[[gnu::always_inline]] inline void add_scaled(float factor, const float* x, int64_t count, float* sum) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Float lanes, total;
    load(lanes, x + i);
    load(total, sum + i);
    store(sum + i, total + lanes * factor);
  }
  for (; i < count; ++i) sum[i] += factor * x[i];
}

/// Of `count` numbers, in whole lanes; what is behind becomes 0.
[[gnu::always_inline]] inline void softmax(float* row, int64_t count) {
  float top = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < count; ++i) top = std::max(top, row[i]);
  const int64_t padded = whole_lanes(count);
  std::fill(row + count, row + padded, -std::numeric_limits<float>::infinity());
  Float sum{};
  for (int64_t i = 0; i < padded; i += kLanes) {
    Float lanes;
    load(lanes, row + i);
    const Int real = lanes > -std::numeric_limits<float>::infinity();
    lanes -= top;
    exponential(lanes);
    masked(lanes, real);
    sum += lanes;
    store(row + i, lanes);
  }
  float total;
  add_lanes(sum, total);
  const float factor = 1 / total;
  for (int64_t i = 0; i < count; ++i) row[i] *= factor;
}

struct Attend {
  const AttentionShape& shape;
  const float *query, *keys, *values;
  const int64_t* places;
  int64_t count;
  float *scores, *context;

  [[gnu::always_inline]] void operator()() const {
    const int64_t heads = shape.heads, d = shape.d_head, row = whole_lanes(count);
    for (int64_t j = 0; j < count; ++j) {
      const float* key = keys + places[j];
      for (int64_t head = 0; head < heads; ++head) {
        float score;
        dot(query + head * d, key + head * d, d, score);
        scores[head * row + j] = score * shape.scale;
      }
    }
    std::fill(context, context + heads * d, 0.0f);
    if (count == 0) return;
    for (int64_t head = 0; head < heads; ++head) softmax(scores + head * row, count);
    for (int64_t j = 0; j < count; ++j) {
      const float* value = values + places[j];
      for (int64_t head = 0; head < heads; ++head) {
        add_scaled(scores[head * row + j], value + head * d, d, context + head * d);
      }
    }
  }
};

}  // namespace

void attend(const AttentionShape& shape, const float* query, const float* keys, const float* values,
            const int64_t* places, int64_t count, float* scores, float* context) {
  run_vectorized(Attend{shape, query, keys, values, places, count, scores, context});
}

}  // namespace heed::engine
