// Attention of single positions to keys and values that lie wherever their steps left them: a query reads those that
// its list of places names, so that nothing is copied when a beam continues another's hypothesis.
#pragma once

#include <cstdint>

namespace heed::kernels {

struct AttentionShape {
  int64_t heads;
  int64_t d_head;
  float scale;  ///< of scores: 1 / sqrt(d_head), or 1
};

/// context = softmax(scale * q K^T) V of each head. query, context: [heads * d_head], which may be one; place j's key
/// is at keys + places[j], its value at values + places[j], in floats. scores: room for heads * whole lanes of count
/// (vector_code.h); afterwards the weights, each head's in whole lanes. count 0: a context of zeros.
void attend(const AttentionShape& shape, const float* query, const float* keys, const float* values,
            const int64_t* places, int64_t count, float* scores, float* context);

// The parts of it, for attentions that do more between them.

/// scores[j] = scale * (query . the key at keys + places[j]). query: [d]; scores: room for `count`, rounded up to 4.
void dot_scores(const float* query, int64_t d, float scale, const float* keys, const int64_t* places, int64_t count,
                float* scores);
/// scores[j] = vector . tanh(query + the key at keys + places[j] + added[j]). query, vector: [d]; added: rows of [d],
/// `distance` floats apart; null: none.
struct AdditiveStep {
  const float *query, *vector;
  int64_t d;
  const float* added = nullptr;
  int64_t distance = 0;
};
void additive_scores(const AdditiveStep& step, const float* keys, const int64_t* places, int64_t count, float* scores);
/// The scores become weights. scores: room for whole lanes of `count`, above 0.
void softmax_scores(float* scores, int64_t count);
/// context = sum over j of weights[j] times the value at values + places[j]. context: [d].
void weigh_values(const float* weights, const float* values, const int64_t* places, int64_t count, int64_t d,
                  float* context);

}  // namespace heed::kernels
