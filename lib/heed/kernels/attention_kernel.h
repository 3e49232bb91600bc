// Scaled dot-product attention with dropout and rotary positions on the CPU. It computes one head of one sentence at a
// time, so that its numbers stay in the cache; separate operations would pass over memory a dozen times. All scores of
// a head are in memory at once, which suits the lengths of sentences. States are float32 or bfloat16; everything else
// is float32.
#pragma once

#include <cstdint>
#include <optional>

#include "heed/kernels/dropout_kernel.h"
#include "heed/kernels/vector_code.h"

namespace heed::kernels {

/// A strided view of numbers [sentence, position, head, d_head]. `sentence`, `position` and `head` are strides; the
/// d_head numbers of a head are contiguous. T: float, or uint16_t for the bits of bfloat16; const for input.
template <class T>
struct HeadStates {
  T* numbers = nullptr;
  int64_t sentence = 0;
  int64_t position = 0;
  int64_t head = 0;

  T* at(int64_t s, int64_t h) const { return numbers + s * sentence + h * head; }
};

/// cos and sin [1 or sentences, length, d_head / 2]. Null means no rotation. See heed_torch/nn/positions/rotary.h.
struct RotationTable {
  const float* cosine = nullptr;
  const float* sine = nullptr;
  int64_t sentence = 0;  ///< stride between sentences; 0: all sentences share one table
};

/// A bias that is added to the scores, [1 or sentences, 1 or heads, 1 or queries, padded_keys()]. The members are
/// strides, 0 for dimensions of size 1. Padding after the last key must be -infinity.
struct ScoreBias {
  const float* numbers = nullptr;  ///< null: no bias, which needs padded_keys() == keys
  int64_t sentence = 0;
  int64_t head = 0;
  int64_t query = 0;
};

/// T: the type of the states, float or uint16_t.
template <class T>
struct AttentionPass {
  int64_t sentences, heads, queries, keys;
  int64_t d_head;  ///< a multiple of kLanes
  float scale;     ///< of the scores
  HeadStates<const T> query, key, value;
  RotationTable rotation = {};  ///< rotates queries and keys; needs queries == keys
  ScoreBias bias = {};
  const bool* blind = nullptr;  ///< [sentences]: true = all weights of this sentence are 0; null: false for all
  std::optional<DropoutMask> dropout = std::nullopt;
  float* weights;  ///< [sentences, heads, queries, padded_keys()], before dropout: output of attend, input of
                   ///< attend_backward

  int64_t padded_keys() const { return padded_to_lanes(keys); }
  /// How many numbers of a dropout mask it takes.
  int64_t dropout_elements() const;
};

/// Computes heads [begin, end), counted over all heads of the first sentence, then of the next. context: out.
template <class T>
void attend(const AttentionPass<T>& pass, const HeadStates<T>& context, int64_t begin, int64_t end);

/// The gradients of queries, keys and values, computed from the gradient of the context.
template <class T>
struct AttentionGradients {
  HeadStates<const T> context;
  HeadStates<T> query, key, value;  ///< out
};
template <class T>
void attend_backward(const AttentionPass<T>& pass, const AttentionGradients<T>& gradients, int64_t begin, int64_t end);

}  // namespace heed::kernels
