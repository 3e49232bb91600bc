#include "heed/kernels/attention_kernel.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "heed/kernels/small_product.h"
#include "heed/kernels/vector_code.h"
#include "heed/kernels/vector_functions.h"

namespace heed::kernels {
namespace {

// Numbers of one row of weights in the dropout mask: whole blocks.
int64_t mask_row(int64_t keys) { return (keys + DropoutMask::kBlock - 1) / DropoutMask::kBlock * DropoutMask::kBlock; }

// Scratch memory for one head.
struct Scratch {
  template <class T>
  explicit Scratch(const AttentionPass<T>& pass)
      : numbers((2 * pass.queries + 2 * pass.keys + pass.padded_keys() + std::max(pass.queries, pass.keys)) *
                    pass.d_head +
                2 * pass.queries * pass.padded_keys()) {
    float* next = numbers.data();
    const auto take = [&next](int64_t count) { return std::exchange(next, next + count); };
    query = take(pass.queries * pass.d_head);
    key = take(pass.keys * pass.d_head);
    value = take(pass.keys * pass.d_head);
    context = take(pass.queries * pass.d_head);
    result = take(std::max(pass.queries, pass.keys) * pass.d_head);
    across = take(pass.d_head * pass.padded_keys());
    kept = take(pass.queries * pass.padded_keys());
    scores = take(pass.queries * pass.padded_keys());
  }
  std::vector<float> numbers;
  float* query;    // [queries, d_head], rotated
  float* key;      // [keys, d_head], rotated
  float* value;    // [keys, d_head], of bfloat16 states
  float* context;  // [queries, d_head]: the gradient, of bfloat16 states
  float* result;   // [queries or keys, d_head], before it is rounded to bfloat16
  float* across;   // [d_head, padded keys]: keys or values, transposed; the padding stays 0
  float* kept;     // [queries, padded keys]: weights after dropout
  float* scores;   // [queries, padded keys]: gradients of the scores
};

// Rows [.., d_head] that a product writes.
struct Target {
  float* numbers;
  int64_t row;
};

// Rotates one position of one head by its angles; direction -1 rotates back.
[[gnu::always_inline]] inline void turn(const float* from, const float* cosine, const float* sine, float direction,
                                        int64_t half, float* to) {
#pragma GCC ivdep  // `to` may be `from`, but must not overlap it partly
  for (int64_t i = 0; i < half; ++i) {
    const float first = from[i], second = from[half + i], side = direction * sine[i];
    to[i] = first * cosine[i] - second * side;
    to[half + i] = second * cosine[i] + first * side;
  }
}

// across = the transpose of rows [count, d_head], in squares of 4 by 4.
[[gnu::always_inline]] inline void transpose(const SmallMatrix& rows, int64_t count, int64_t d_head, float* across,
                                             int64_t padded) {
  using Four [[gnu::vector_size(16)]] = float;
  int64_t j = 0;
  for (; j + 4 <= count; j += 4) {
    const float* from = rows.numbers + j * rows.row;
    for (int64_t i = 0; i < d_head; i += 4) {
      Four a, b, c, d;
      load(a, from + i);
      load(b, from + rows.row + i);
      load(c, from + 2 * rows.row + i);
      load(d, from + 3 * rows.row + i);
      const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
      const Four ab_after = __builtin_shufflevector(a, b, 2, 6, 3, 7);
      const Four cd_after = __builtin_shufflevector(c, d, 2, 6, 3, 7);
      const Four square[4] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
                              __builtin_shufflevector(ab_after, cd_after, 0, 1, 4, 5),
                              __builtin_shufflevector(ab_after, cd_after, 2, 3, 6, 7)};
      for (int64_t k = 0; k < 4; ++k) std::memcpy(across + (i + k) * padded + j, &square[k], sizeof(Four));
    }
  }
  for (; j < count; ++j) {
    for (int64_t i = 0; i < d_head; ++i) across[i * padded + j] = rows.numbers[j * rows.row + i];
  }
}

// The head that is computed, as attend and attend_backward both see it.
template <class T>
struct Head {
  static constexpr bool kRounds = !std::is_same_v<T, float>;

  const AttentionPass<T>& pass;
  Scratch& scratch;
  int64_t sentence, head;
  int64_t padded = pass.padded_keys();

  float* weights() const { return pass.weights + (sentence * pass.heads + head) * pass.queries * padded; }

  // The head's states as float32; bfloat16 ones are copied to `into`.
  template <class R>
  [[gnu::always_inline]] SmallMatrix floats(const HeadStates<const T>& states, int64_t length, float* into) const {
    const T* from = states.at(sentence, head);
    if constexpr (kRounds) {
      for (int64_t t = 0; t < length; ++t) {
        for (int64_t i = 0; i < pass.d_head; i += kLanes) {
          typename R::Float number;
          load_bfloat16(number, from + t * states.position + i);
          store(into + t * pass.d_head + i, number);
        }
      }
      return {.numbers = into, .row = pass.d_head};
    } else {
      return {.numbers = from, .row = states.position};
    }
  }

  // The memory for the head's part of `states`. If they are bfloat16, round() must follow.
  [[gnu::always_inline]] Target target(const HeadStates<T>& states) const {
    if constexpr (kRounds) {
      return {.numbers = scratch.result, .row = pass.d_head};
    } else {
      return {.numbers = states.at(sentence, head), .row = states.position};
    }
  }
  template <class R>
  [[gnu::always_inline]] void round(const HeadStates<T>& states, int64_t length) const {
    if constexpr (kRounds) {
      T* to = states.at(sentence, head);
      for (int64_t t = 0; t < length; ++t) {
        for (int64_t i = 0; i < pass.d_head; i += kLanes) {
          typename R::Float number;
          load(number, scratch.result + t * pass.d_head + i);
          store_rounded(to + t * states.position + i, number);
        }
      }
    }
  }

  // The queries or keys, rotated if there is a rotation.
  template <class R>
  [[gnu::always_inline]] SmallMatrix turned(const HeadStates<const T>& states, int64_t length, float* into) const {
    const SmallMatrix from = floats<R>(states, length, into);
    if (pass.rotation.cosine == nullptr) return from;
    const int64_t half = pass.d_head / 2;
    for (int64_t t = 0; t < length; ++t) {
      const int64_t angle = sentence * pass.rotation.sentence + t * half;
      turn(from.numbers + t * from.row, pass.rotation.cosine + angle, pass.rotation.sine + angle, 1, half,
           into + t * pass.d_head);
    }
    return {.numbers = into, .row = pass.d_head};
  }

  [[gnu::always_inline]] void turn_back(const Target& rows, int64_t length) const {
    if (pass.rotation.cosine == nullptr) return;
    const int64_t half = pass.d_head / 2;
    float* place = rows.numbers;
    for (int64_t t = 0; t < length; ++t, place += rows.row) {
      const int64_t angle = sentence * pass.rotation.sentence + t * half;
      turn(place, pass.rotation.cosine + angle, pass.rotation.sine + angle, -1, half, place);
    }
  }

  // Applies the dropout mask to a row of numbers, from -> to.
  template <class R>
  [[gnu::always_inline]] void drop(int64_t query, const float* from, float* to) const {
    const int64_t mask_keys = mask_row(pass.keys);
    const int64_t first = ((sentence * pass.heads + head) * pass.queries + query) * mask_keys;
    const auto scale = static_cast<float>(pass.dropout->scale());
    for (int64_t j = 0; j < padded; j += 2 * kLanes) {
      typename R::Int keep[2];
      kept_lanes(*pass.dropout, first + j, keep[0], keep[1]);
      for (int64_t part = 0; part < 2 && j + part * kLanes < padded; ++part) {
        typename R::Float number;
        load(number, from + j + part * kLanes);
        number *= scale;
        masked(number, keep[part]);
        store(to + j + part * kLanes, number);
      }
    }
  }

  // The weights after dropout.
  template <class R>
  [[gnu::always_inline]] SmallMatrix kept_weights() const {
    if (!pass.dropout) return {.numbers = weights(), .row = padded};
    for (int64_t i = 0; i < pass.queries; ++i) drop<R>(i, weights() + i * padded, scratch.kept + i * padded);
    return {.numbers = scratch.kept, .row = padded};
  }
};

template <class T>
struct AttentionForward {
  const AttentionPass<T>& pass;
  const HeadStates<T>& context;
  Scratch& scratch;
  int64_t begin, end;

  // Turns a row of scores into weights.
  template <class R>
  [[gnu::always_inline]] void softmax(float* row, const float* bias, int64_t padded) const {
    using Float = R::Float;
    Float top = -3e38f;
    for (int64_t j = 0; j < padded; j += kLanes) {
      Float score;
      load(score, row + j);
      score *= pass.scale;
      if (bias != nullptr) {
        Float added;
        load(added, bias + j);
        score += added;
      }
      top = larger(score, top);
      store(row + j, score);
    }
    const float most = largest_lane(top);
    Float sum{};
    for (int64_t j = 0; j < padded; j += kLanes) {
      Float term;
      load(term, row + j);
      term -= most;
      const auto keep = ~(term < -87);  // keeps NaN
      exponential(term);
      masked(term, keep);
      sum += term;
      store(row + j, term);
    }
    const float factor = 1 / sum_of_lanes(sum);
    for (int64_t j = 0; j < padded; j += kLanes) {
      Float term;
      load(term, row + j);
      term *= factor;
      store(row + j, term);
    }
  }

  template <class R>
  [[gnu::always_inline]] void one_head(const Head<T>& at) const {
    float* weights = at.weights();
    if (pass.blind != nullptr && pass.blind[at.sentence]) {
      std::fill(weights, weights + pass.queries * at.padded, 0.f);
    } else {
      const SmallMatrix query = at.template turned<R>(pass.query, pass.queries, scratch.query);
      transpose(at.template turned<R>(pass.key, pass.keys, scratch.key), pass.keys, pass.d_head, scratch.across,
                at.padded);
      small_product<R>(query, {.numbers = scratch.across, .row = at.padded}, pass.queries, pass.d_head, at.padded,
                       weights, at.padded);
      const ScoreBias& bias = pass.bias;
      const float* added =
          bias.numbers == nullptr ? nullptr : bias.numbers + at.sentence * bias.sentence + at.head * bias.head;
      for (int64_t i = 0; i < pass.queries; ++i) {
        softmax<R>(weights + i * at.padded, added == nullptr ? nullptr : added + i * bias.query, at.padded);
      }
    }
    const SmallMatrix values = at.template floats<R>(pass.value, pass.keys, scratch.value);
    const Target to = at.target(context);
    small_product<R>(at.template kept_weights<R>(), values, pass.queries, pass.keys, pass.d_head, to.numbers, to.row);
    at.template round<R>(context, pass.queries);
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t i = begin; i < end; ++i) one_head<R>(Head<T>{pass, scratch, i / pass.heads, i % pass.heads});
  }
};

template <class T>
struct AttentionBackward {
  const AttentionPass<T>& pass;
  const AttentionGradients<T>& gradients;
  Scratch& scratch;
  int64_t begin, end;

  // Turns the gradient of a row of kept weights into the gradient of its scores: w (dw - sum w dw), times the scale.
  template <class R>
  [[gnu::always_inline]] void softmax(const Head<T>& at, int64_t query) const {
    using Float = R::Float;
    float* row = scratch.scores + query * at.padded;
    const float* weights = at.weights() + query * at.padded;
    if (pass.dropout) at.template drop<R>(query, row, row);
    Float sum{};
    for (int64_t j = 0; j < at.padded; j += kLanes) {
      Float weight, gradient;
      load(weight, weights + j);
      load(gradient, row + j);
      sum += weight * gradient;
    }
    const float mean = sum_of_lanes(sum);
    for (int64_t j = 0; j < at.padded; j += kLanes) {
      Float weight, gradient;
      load(weight, weights + j);
      load(gradient, row + j);
      gradient = weight * (gradient - mean) * pass.scale;
      store(row + j, gradient);
    }
  }

  template <class R>
  [[gnu::always_inline]] void one_head(const Head<T>& at) const {
    const int64_t queries = pass.queries, keys = pass.keys, d_head = pass.d_head;
    const SmallMatrix context = at.template floats<R>(gradients.context, queries, scratch.context);
    const SmallMatrix values = at.template floats<R>(pass.value, keys, scratch.value);
    const Target of_value = at.target(gradients.value);
    small_product<R>(at.template kept_weights<R>().transposed(), context, keys, queries, d_head, of_value.numbers,
                     of_value.row);
    at.template round<R>(gradients.value, keys);
    transpose(values, keys, d_head, scratch.across, at.padded);
    small_product<R>(context, {.numbers = scratch.across, .row = at.padded}, queries, d_head, at.padded, scratch.scores,
                     at.padded);
    for (int64_t i = 0; i < queries; ++i) softmax<R>(at, i);
    const SmallMatrix scores{.numbers = scratch.scores, .row = at.padded};
    const Target of_query = at.target(gradients.query);
    small_product<R>(scores, at.template turned<R>(pass.key, keys, scratch.key), queries, keys, d_head,
                     of_query.numbers, of_query.row);
    at.turn_back(of_query, queries);
    at.template round<R>(gradients.query, queries);
    const Target of_key = at.target(gradients.key);
    small_product<R>(scores.transposed(), at.template turned<R>(pass.query, queries, scratch.query), keys, queries,
                     d_head, of_key.numbers, of_key.row);
    at.turn_back(of_key, keys);
    at.template round<R>(gradients.key, keys);
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t i = begin; i < end; ++i) one_head<R>(Head<T>{pass, scratch, i / pass.heads, i % pass.heads});
  }
};

}  // namespace

template <class T>
int64_t AttentionPass<T>::dropout_elements() const {
  return sentences * heads * queries * mask_row(keys);
}

template <class T>
void attend(const AttentionPass<T>& pass, const HeadStates<T>& context, int64_t begin, int64_t end) {
  Scratch scratch(pass);
  run_vectorized(AttentionForward<T>{pass, context, scratch, begin, end});
}

template <class T>
void attend_backward(const AttentionPass<T>& pass, const AttentionGradients<T>& gradients, int64_t begin, int64_t end) {
  Scratch scratch(pass);
  run_vectorized(AttentionBackward<T>{pass, gradients, scratch, begin, end});
}

template struct AttentionPass<float>;
template struct AttentionPass<uint16_t>;
template void attend(const AttentionPass<float>&, const HeadStates<float>&, int64_t, int64_t);
template void attend(const AttentionPass<uint16_t>&, const HeadStates<uint16_t>&, int64_t, int64_t);
template void attend_backward(const AttentionPass<float>&, const AttentionGradients<float>&, int64_t, int64_t);
template void attend_backward(const AttentionPass<uint16_t>&, const AttentionGradients<uint16_t>&, int64_t, int64_t);

}  // namespace heed::kernels
