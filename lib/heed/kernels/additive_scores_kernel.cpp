#include "heed/kernels/additive_scores_kernel.h"

#include "heed/kernels/vector_code.h"
#include "heed/kernels/vector_functions.h"

namespace heed::kernels {
namespace {

struct AdditiveForward {
  const AdditiveWork& work;
  float* scores;
  int64_t begin, end;

  template <class R>
  [[gnu::always_inline]] float score(const float* query, const float* key) const {
    using Float = R::Float;
    Float sum{};
    for (int64_t h = 0; h < work.hidden; h += kLanes) {
      Float asked, unit, weight;
      load(asked, query + h);
      load(unit, key + h);
      load(weight, work.vector + h);
      unit += asked;
      hyperbolic_tangent(unit);
      sum += weight * unit;
    }
    return sum_of_lanes(sum);
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t s = begin; s < end; ++s) {
      const float* keys = work.key + s * work.source * work.hidden;
      for (int64_t row = s * work.rows; row < (s + 1) * work.rows; ++row) {
        for (int64_t j = 0; j < work.source; ++j) {
          scores[row * work.source + j] = score<R>(work.query + row * work.hidden, keys + j * work.hidden);
        }
      }
    }
  }
};

struct AdditiveBackward {
  const AdditiveWork& work;
  const AdditiveGradients& gradients;
  int64_t begin, end;

  // kLanes hidden units from h on, for one row.
  template <class R>
  [[gnu::always_inline]] void units(int64_t s, int64_t row, int64_t h) const {
    using Float = R::Float;
    const float* key = work.key + s * work.source * work.hidden + h;
    float* key_gradient = gradients.key + s * work.source * work.hidden + h;
    float* vector_gradient = gradients.vector + s * work.hidden + h;
    Float asked, weight, of_vector, of_query{};
    load(asked, work.query + row * work.hidden + h);
    load(weight, work.vector + h);
    load(of_vector, vector_gradient);
    for (int64_t j = 0; j < work.source; ++j) {
      const float of_score = gradients.scores[row * work.source + j];
      Float unit, of_key;
      load(unit, key + j * work.hidden);
      load(of_key, key_gradient + j * work.hidden);
      unit += asked;
      hyperbolic_tangent(unit);
      of_vector += unit * of_score;
      const Float inner = weight * (1 - unit * unit) * of_score;
      of_query += inner;
      of_key += inner;
      store(key_gradient + j * work.hidden, of_key);
    }
    store(gradients.query + row * work.hidden + h, of_query);
    store(vector_gradient, of_vector);
  }

  template <class R>
  [[gnu::always_inline]] void run() const {
    for (int64_t s = begin; s < end; ++s) {
      for (int64_t row = s * work.rows; row < (s + 1) * work.rows; ++row) {
        for (int64_t h = 0; h < work.hidden; h += kLanes) units<R>(s, row, h);
      }
    }
  }
};

}  // namespace

void additive_scores(const AdditiveWork& work, float* scores, int64_t begin, int64_t end) {
  run_vectorized(AdditiveForward{work, scores, begin, end});
}

void additive_scores_backward(const AdditiveWork& work, const AdditiveGradients& gradients, int64_t begin,
                              int64_t end) {
  run_vectorized(AdditiveBackward{work, gradients, begin, end});
}

}  // namespace heed::kernels
