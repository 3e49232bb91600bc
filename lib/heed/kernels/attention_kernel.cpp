#include "heed/kernels/attention_kernel.h"

#include <algorithm>
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
  explicit Scratch(const AttentionPass& pass)
      : numbers((pass.queries + pass.keys + pass.padded_keys()) * pass.d_head + 2 * pass.queries * pass.padded_keys()) {
    float* next = numbers.data();
    const auto take = [&next](int64_t count) { return std::exchange(next, next + count); };
    query = take(pass.queries * pass.d_head);
    key = take(pass.keys * pass.d_head);
    across = take(pass.d_head * pass.padded_keys());
    kept = take(pass.queries * pass.padded_keys());
    scores = take(pass.queries * pass.padded_keys());
  }
  std::vector<float> numbers;
  float* query;   // [queries, d_head], rotated
  float* key;     // [keys, d_head], rotated
  float* across;  // [d_head, padded keys]: keys or values, transposed; the padding stays 0
  float* kept;    // [queries, padded keys]: weights after dropout
  float* scores;  // [queries, padded keys]: gradients of the scores
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

// across = the transpose of rows [count, d_head].
[[gnu::always_inline]] inline void transpose(const SmallMatrix& rows, int64_t count, int64_t d_head, float* across,
                                             int64_t padded) {
  for (int64_t j = 0; j < count; ++j) {
    for (int64_t i = 0; i < d_head; ++i) across[i * padded + j] = rows.numbers[j * rows.row + i];
  }
}

// The head that is computed, as attend and attend_backward both see it.
struct Head {
  const AttentionPass& pass;
  Scratch& scratch;
  int64_t sentence, head;
  int64_t padded = pass.padded_keys();

  float* weights() const { return pass.weights + (sentence * pass.heads + head) * pass.queries * padded; }

  // The queries or keys, rotated if there is a rotation.
  [[gnu::always_inline]] SmallMatrix turned(const HeadStates<const float>& states, int64_t length, float* into) const {
    const float* from = states.at(sentence, head);
    if (pass.rotation.cosine == nullptr) return {.numbers = from, .row = states.position};
    const int64_t half = pass.d_head / 2;
    for (int64_t t = 0; t < length; ++t) {
      const int64_t angle = sentence * pass.rotation.sentence + t * half;
      turn(from + t * states.position, pass.rotation.cosine + angle, pass.rotation.sine + angle, 1, half,
           into + t * pass.d_head);
    }
    return {.numbers = into, .row = pass.d_head};
  }

  [[gnu::always_inline]] void turn_back(const HeadStates<float>& states, int64_t length) const {
    if (pass.rotation.cosine == nullptr) return;
    const int64_t half = pass.d_head / 2;
    float* place = states.at(sentence, head);
    for (int64_t t = 0; t < length; ++t, place += states.position) {
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

struct AttentionForward {
  const AttentionPass& pass;
  const HeadStates<float>& context;
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
  [[gnu::always_inline]] void one_head(const Head& at) const {
    float* weights = at.weights();
    if (pass.blind != nullptr && pass.blind[at.sentence]) {
      std::fill(weights, weights + pass.queries * at.padded, 0.f);
    } else {
      const SmallMatrix query = at.turned(pass.query, pass.queries, scratch.query);
      transpose(at.turned(pass.key, pass.keys, scratch.key), pass.keys, pass.d_head, scratch.across, at.padded);
      small_product<R>(query, {.numbers = scratch.across, .row = at.padded}, pass.queries, pass.d_head, at.padded,
                       weights, at.padded);
      const ScoreBias& bias = pass.bias;
      const float* added =
          bias.numbers == nullptr ? nullptr : bias.numbers + at.sentence * bias.sentence + at.head * bias.head;
      for (int64_t i = 0; i < pass.queries; ++i) {
        softmax<R>(weights + i * at.padded, added == nullptr ? nullptr : added + i * bias.query, at.padded);
      }
    }
    const SmallMatrix values{.numbers = pass.value.at(at.sentence, at.head), .row = pass.value.position};
    small_product<R>(at.kept_weights<R>(), values, pass.queries, pass.keys, pass.d_head,
                     context.at(at.sentence, at.head), context.position);
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t i = begin; i < end; ++i) one_head<R>({pass, scratch, i / pass.heads, i % pass.heads});
  }
};

struct AttentionBackward {
  const AttentionPass& pass;
  const AttentionGradients& gradients;
  Scratch& scratch;
  int64_t begin, end;

  // Turns the gradient of a row of kept weights into the gradient of its scores: w (dw - sum w dw), times the scale.
  template <class R>
  [[gnu::always_inline]] void softmax(const Head& at, int64_t query) const {
    using Float = R::Float;
    float* row = scratch.scores + query * at.padded;
    const float* weights = at.weights() + query * at.padded;
    if (pass.dropout) at.drop<R>(query, row, row);
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
  [[gnu::always_inline]] void one_head(const Head& at) const {
    const int64_t queries = pass.queries, keys = pass.keys, d_head = pass.d_head;
    const auto place = [&at] [[gnu::always_inline]] (const HeadStates<float>& states) {
      return states.at(at.sentence, at.head);
    };
    const SmallMatrix context{.numbers = gradients.context.at(at.sentence, at.head), .row = gradients.context.position};
    const SmallMatrix values{.numbers = pass.value.at(at.sentence, at.head), .row = pass.value.position};
    small_product<R>(at.kept_weights<R>().transposed(), context, keys, queries, d_head, place(gradients.value),
                     gradients.value.position);
    transpose(values, keys, d_head, scratch.across, at.padded);
    small_product<R>(context, {.numbers = scratch.across, .row = at.padded}, queries, d_head, at.padded, scratch.scores,
                     at.padded);
    for (int64_t i = 0; i < queries; ++i) softmax<R>(at, i);
    const SmallMatrix scores{.numbers = scratch.scores, .row = at.padded};
    small_product<R>(scores, at.turned(pass.key, keys, scratch.key), queries, keys, d_head, place(gradients.query),
                     gradients.query.position);
    small_product<R>(scores.transposed(), at.turned(pass.query, queries, scratch.query), keys, queries, d_head,
                     place(gradients.key), gradients.key.position);
    at.turn_back(gradients.query, queries);
    at.turn_back(gradients.key, keys);
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t i = begin; i < end; ++i) one_head<R>({pass, scratch, i / pass.heads, i % pass.heads});
  }
};

}  // namespace

int64_t AttentionPass::dropout_elements() const { return sentences * heads * queries * mask_row(keys); }

void attend(const AttentionPass& pass, const HeadStates<float>& context, int64_t begin, int64_t end) {
  Scratch scratch(pass);
  run_vectorized(AttentionForward{pass, context, scratch, begin, end});
}

void attend_backward(const AttentionPass& pass, const AttentionGradients& gradients, int64_t begin, int64_t end) {
  Scratch scratch(pass);
  run_vectorized(AttentionBackward{pass, gradients, scratch, begin, end});
}

}  // namespace heed::kernels
