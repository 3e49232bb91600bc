// Attention of single positions to cached keys and values. Each query has a list of places that names the keys and
// values that it reads. So nothing is copied when beam search extends another hypothesis.
#pragma once

#include <cstdint>

namespace heed::kernels {

struct AttentionShape {
  int64_t heads;
  int64_t d_head;
  float scale;  ///< factor on the scores: 1 / sqrt(d_head), or 1
};

/// context = softmax(scale * q K^T) V for each head. query, context: [heads * d_head], may be the same array. The key
/// of place j is at keys + places[j], its value at values + places[j] (offsets in floats). scores: space for heads *
/// padded_to_lanes(count) floats (vector_code.h); on return it has the weights, each head padded to whole lanes. With
/// count 0 the context is zero.
void attend(const AttentionShape& shape, const float* query, const float* keys, const float* values,
            const int64_t* places, int64_t count, float* scores, float* context);

// The steps of attend(), for attention functions that need to do more in between.

/// scores[j] = scale * (query . the key at keys + places[j]). query: [d]; scores: space for `count`, rounded up to 4.
void dot_scores(const float* query, int64_t d, float scale, const float* keys, const int64_t* places, int64_t count,
                float* scores);
/// scores[j] = vector . tanh(query + the key at keys + places[j] + added[j]). query, vector: [d]; added: rows of [d],
/// `distance` floats apart, or null.
struct AdditiveStep {
  const float *query, *vector;
  int64_t d;
  const float* added = nullptr;
  int64_t distance = 0;
};
void additive_scores(const AdditiveStep& step, const float* keys, const int64_t* places, int64_t count, float* scores);
/// Replaces scores by their softmax. scores: space for whole lanes of `count`, which is above 0.
void softmax_scores(float* scores, int64_t count);
/// context = sum over j of weights[j] * the value at values + places[j]. context: [d].
void weigh_values(const float* weights, const float* values, const int64_t* places, int64_t count, int64_t d,
                  float* context);

}  // namespace heed::kernels
