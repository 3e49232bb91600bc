#include "heed/kernels/cell_kernels.h"

#include "heed/kernels/row_loops.h"
#include "heed/kernels/vector_functions.h"

namespace heed::kernels {
namespace {

/// Of what is read.
template <class Float>
[[gnu::always_inline]] inline void load_input(Float& sum, const CellSums& sums, int64_t at, int64_t count) {
  load_some(sum, sums.input + at, count);
  if (sums.extra == nullptr) return;
  Float extra;
  load_some(extra, sums.extra + at, count);
  sum += extra;
}
/// The sum of inputs and state for a gate.
template <class Float>
[[gnu::always_inline]] inline void load_gate(Float& gate, const CellSums& sums, int64_t at, int64_t count) {
  Float state;
  load_input(gate, sums, at, count);
  load_some(state, sums.state + at, count);
  gate += state;
}

struct LstmCell {
  const CellSums& sums;
  int64_t width;
  const float* before;
  float *cell, *output_gate;

  template <class R>
  [[gnu::always_inline]] void run() const {
    for_each_vector(width, [&] [[gnu::always_inline]] (int64_t i, int64_t count) {
      typename R::Float input, forget, candidate, output, c;
      load_gate(input, sums, i, count);
      load_gate(forget, sums, width + i, count);
      load_gate(candidate, sums, 2 * width + i, count);
      load_gate(output, sums, 3 * width + i, count);
      load_some(c, before + i, count);
      logistic(input);
      logistic(forget);
      hyperbolic_tangent(candidate);
      logistic(output);
      store_some(cell + i, forget * c + input * candidate, count);
      store_some(output_gate + i, output, count);
    });
  }
};

/// Applies Function to x and y; the result replaces x.
template <class Function>
struct Combine {
  float* x;
  const float* y;
  int64_t width;
  Function function;

  template <class R>
  [[gnu::always_inline]] void run() const {
    for_each_vector(width, [&] [[gnu::always_inline]] (int64_t i, int64_t count) {
      typename R::Float left, right;
      load_some(left, x + i, count);
      load_some(right, y + i, count);
      function(left, right);
      store_some(x + i, left, count);
    });
  }
};
template <class Function>
void combine(float* x, const float* y, int64_t width, Function function) {
  run_vectorized(Combine<Function>{x, y, width, function});
}

struct GruCell {
  const CellSums& sums;
  int64_t width;
  const float* before;
  float* hidden;

  template <class R>
  [[gnu::always_inline]] void run() const {
    for_each_vector(width, [&] [[gnu::always_inline]] (int64_t i, int64_t count) {
      typename R::Float reset, update, candidate, product, h;
      load_gate(reset, sums, i, count);
      load_gate(update, sums, width + i, count);
      load_input(candidate, sums, 2 * width + i, count);
      load_some(product, sums.state + 2 * width + i, count);
      load_some(h, before + i, count);
      logistic(reset);
      logistic(update);
      candidate += reset * product;
      hyperbolic_tangent(candidate);
      store_some(hidden + i, candidate + update * (h - candidate), count);
    });
  }
};

struct ChoGates {
  const CellSums& sums;
  int64_t width;
  const float* before;
  float *reset, *update;

  template <class R>
  [[gnu::always_inline]] void run() const {
    for_each_vector(width, [&] [[gnu::always_inline]] (int64_t i, int64_t count) {
      typename R::Float r, z, h;
      load_gate(r, sums, i, count);
      load_gate(z, sums, width + i, count);
      load_some(h, before + i, count);
      logistic(r);
      logistic(z);
      store_some(reset + i, r * h, count);
      store_some(update + i, z, count);
    });
  }
};

struct ChoCell {
  const CellSums& sums;
  int64_t width;
  const float *before, *update;
  float* hidden;

  template <class R>
  [[gnu::always_inline]] void run() const {
    for_each_vector(width, [&] [[gnu::always_inline]] (int64_t i, int64_t count) {
      typename R::Float candidate, product, z, h;
      load_input(candidate, sums, 2 * width + i, count);
      load_some(product, sums.state + i, count);
      load_some(z, update + i, count);
      load_some(h, before + i, count);
      candidate += product;
      hyperbolic_tangent(candidate);
      store_some(hidden + i, candidate + z * (h - candidate), count);
    });
  }
};

/// A cell with one gate. Function: applied to the sum.
template <class Function>
struct PlainCell {
  const CellSums& sums;
  int64_t width;
  float* hidden;
  Function function;

  template <class R>
  [[gnu::always_inline]] void run() const {
    for_each_vector(width, [&] [[gnu::always_inline]] (int64_t i, int64_t count) {
      typename R::Float sum;
      load_gate(sum, sums, i, count);
      function(sum);
      store_some(hidden + i, sum, count);
    });
  }
};
template <class Function>
void plain_cell(const CellSums& sums, int64_t width, float* hidden, Function function) {
  run_vectorized(PlainCell<Function>{sums, width, hidden, function});
}

}  // namespace

void lstm_cell(const CellSums& sums, int64_t width, const float* before, float* cell, float* output_gate) {
  run_vectorized(LstmCell{sums, width, before, cell, output_gate});
}
void multiply_by_tangent(float* x, const float* y, int64_t width) {
  combine(x, y, width, [](auto& left, auto& right) __attribute__((always_inline)) {
    hyperbolic_tangent(right);
    left *= right;
  });
}
void gru_cell(const CellSums& sums, int64_t width, const float* before, float* hidden) {
  run_vectorized(GruCell{sums, width, before, hidden});
}
void cho_gates(const CellSums& sums, int64_t width, const float* before, float* reset, float* update) {
  run_vectorized(ChoGates{sums, width, before, reset, update});
}
void cho_cell(const CellSums& sums, int64_t width, const float* before, const float* update, float* hidden) {
  run_vectorized(ChoCell{sums, width, before, update, hidden});
}
void tanh_cell(const CellSums& sums, int64_t width, float* hidden) {
  plain_cell(sums, width, hidden, [](auto& lanes) __attribute__((always_inline)) { hyperbolic_tangent(lanes); });
}
void relu_cell(const CellSums& sums, int64_t width, float* hidden) {
  plain_cell(sums, width, hidden, [](auto& lanes) __attribute__((always_inline)) { lanes = larger({}, lanes); });
}
void take_larger(float* x, const float* y, int64_t width) {
  combine(x, y, width, [](auto& left, const auto& right) __attribute__((always_inline)) {
    left = select(left == left, larger(left, right), left);  // NOLINT(misc-redundant-expression): not so of NaN
  });
}

}  // namespace heed::kernels
