#include "heed/engine/transformer/relative_attention.h"

#include <algorithm>

#include "heed/kernels/vector_code.h"

namespace heed::engine {

void RelativeAttention::attend(const RelativeQuery& query, const AttendedPlaces& past, float* scores, float* context) {
  const RelativePositions& relative = query.relative;
  const int64_t d = query.shape.d_head, row = kernels::padded_to_lanes(past.count);
  const int64_t least = std::max(-relative.max_distance, -query.position);
  const int64_t most = std::min(relative.max_distance, past.count - 1 - query.position);
  rows_.clear();
  for (int64_t r = least; r <= most; ++r) rows_.push_back((r + relative.max_distance) * d);
  const auto distances = std::ssize(rows_);
  float* by_distance = by_distance_.reserve(kernels::padded_to_lanes(distances));
  float* shift = shift_.reserve(d);
  const auto distance_of = [&](int64_t j) { return std::clamp(j - query.position, least, most) - least; };
  for (int64_t head = 0; head < query.shape.heads; ++head) {
    const float* asked = query.numbers + head * d;
    float* weights = scores + head * row;
    float* mixed = context + head * d;
    kernels::dot_scores(asked, d, query.shape.scale, past.keys + head * d, past.places, past.count, weights);
    kernels::dot_scores(asked, d, query.shape.scale, relative.keys.data(), rows_.data(), distances, by_distance);
    for (int64_t j = 0; j < past.count; ++j) weights[j] += by_distance[distance_of(j)];
    kernels::softmax_scores(weights, past.count);
    kernels::weigh_values(weights, past.values + head * d, past.places, past.count, d, mixed);
    std::fill_n(by_distance, distances, 0.0f);
    for (int64_t j = 0; j < past.count; ++j) by_distance[distance_of(j)] += weights[j];
    kernels::weigh_values(by_distance, relative.values.data(), rows_.data(), distances, d, shift);
    for (int64_t i = 0; i < d; ++i) mixed[i] += shift[i];
  }
}

}  // namespace heed::engine
