// The additive attention score on the CPU. The hidden layer [S, rows, source, hidden] is never in memory. Separate
// operations would write and read it for the sum, the tanh and the product, and again in the backward pass.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// scores[s, r, j] = sum over h of vector[h] tanh(query[s, r, h] + key[s, j, h]). All arrays are contiguous.
struct AdditiveWork {
  int64_t rows, source;
  int64_t hidden;       ///< a multiple of kLanes
  const float* query;   ///< [S, rows, hidden]
  const float* key;     ///< [S, source, hidden]
  const float* vector;  ///< [hidden]
};

/// Computes sentences [begin, end). scores: out, [S, rows, source].
void additive_scores(const AdditiveWork& work, float* scores, int64_t begin, int64_t end);

struct AdditiveGradients {
  const float* scores;  ///< [S, rows, source]
  float* query;         ///< out, [S, rows, hidden]
  float* key;           ///< added to, [S, source, hidden]
  float* vector;        ///< added to, [S, hidden]: one gradient per sentence
};
void additive_scores_backward(const AdditiveWork& work, const AdditiveGradients& gradients, int64_t begin, int64_t end);

}  // namespace heed::kernels
