// Attention of single positions to keys and values that lie wherever their steps left them: a query reads those that
// its list of places names, so that nothing is copied when a beam continues another's hypothesis.
#pragma once

#include <cstdint>

namespace heed::engine {

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

}  // namespace heed::engine
