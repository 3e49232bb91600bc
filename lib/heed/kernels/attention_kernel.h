// Scaled dot-product attention with dropout and rotary positions on the CPU, one head of one sentence at a time while
// its numbers are in the cache: what takes a dozen passes over memory as separate operations. Made for the lengths of
// sentences; scores are held whole.
#pragma once

#include <cstdint>
#include <optional>

#include "heed/kernels/dropout_kernel.h"
#include "heed/kernels/vector_code.h"

namespace heed::kernels {

/// Numbers [sentence, position, head, d_head] in memory by the distances between sentences, positions and heads; those
/// of one head lie together. T: float or const float.
template <class T>
struct HeadStates {
  T* numbers = nullptr;
  int64_t sentence = 0;
  int64_t position = 0;
  int64_t head = 0;

  T* at(int64_t s, int64_t h) const { return numbers + s * sentence + h * head; }
};

/// cos and sin [1 or sentences, length, d_head / 2]; null: no rotation. See heed_torch/nn/positions/rotary.h.
struct RotationTable {
  const float* cosine = nullptr;
  const float* sine = nullptr;
  int64_t sentence = 0;  ///< distance between the sentences' tables; 0: all have the same
};

/// What is added to the scores, [1 or sentences, 1 or heads, 1 or query, padded_keys()] by distances, 0 where there is
/// only one. Keys behind the last have -infinity.
struct ScoreBias {
  const float* numbers = nullptr;  ///< null: nothing, and padded_keys() is keys
  int64_t sentence = 0;
  int64_t head = 0;
  int64_t query = 0;
};

struct AttentionPass {
  int64_t sentences, heads, queries, keys;
  int64_t d_head;  ///< a multiple of kLanes
  float scale;     ///< of the scores
  HeadStates<const float> query, key, value;
  RotationTable rotation = {};  ///< of queries and keys, if queries == keys
  ScoreBias bias = {};
  const bool* blind = nullptr;  ///< [sentences]: all its weights are 0; null: none is
  std::optional<DropoutMask> dropout = std::nullopt;
  float* weights;  ///< [sentences, heads, queries, padded_keys()], before dropout: out, then in

  int64_t padded_keys() const { return whole_lanes(keys); }
  /// How many numbers of a dropout mask it takes.
  int64_t dropout_elements() const;
};

/// Heads [begin, end) of all sentences' heads, counted sentence by sentence. context: out.
void attend(const AttentionPass& pass, const HeadStates<float>& context, int64_t begin, int64_t end);

/// The gradients of queries, keys and values, from that of the context.
struct AttentionGradients {
  HeadStates<const float> context;
  HeadStates<float> query, key, value;  ///< out
};
void attend_backward(const AttentionPass& pass, const AttentionGradients& gradients, int64_t begin, int64_t end);

}  // namespace heed::kernels
