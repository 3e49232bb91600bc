// What a recurrent cell makes of its sums (heed_torch/nn/recurrent/cell.h has the formulas), for one row. `width`:
// d_hidden; the gates lie side by side, i f g o of an LSTM, r z n of a GRU.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// The sums of a row: of what it reads (W x + b), of the second input if there is one, and of the state before (U h).
struct CellSums {
  const float* input;
  const float* extra;  ///< null: none
  const float* state;
};

/// c' = f c + i g and the gate o. before, cell (which may be one), output_gate: [width].
void lstm_cell(const CellSums& sums, int64_t width, const float* before, float* cell, float* output_gate);
/// x *= tanh(y): an LSTM's h' from o and c'.
void multiply_by_tangent(float* x, const float* y, int64_t width);

/// (1 - z) n + z h with the reset gate on the product U h + d. before: h, apart from `hidden`.
void gru_cell(const CellSums& sums, int64_t width, const float* before, float* hidden);

/// The gates of Cho's unit: r h to `reset`, which `before` may be, and z to `update`.
void cho_gates(const CellSums& sums, int64_t width, const float* before, float* reset, float* update);
/// (1 - z) n + z h. sums.state: U (r h) alone, [width]; before: h, which `hidden` may be.
void cho_cell(const CellSums& sums, int64_t width, const float* before, const float* update, float* hidden);

/// tanh(W x + b + U h), or max(0, .)
void tanh_cell(const CellSums& sums, int64_t width, float* hidden);
void relu_cell(const CellSums& sums, int64_t width, float* hidden);

/// The larger of each two: x[i] = max(x[i], y[i]); NaN if one of them is.
void take_larger(float* x, const float* y, int64_t width);

}  // namespace heed::kernels
