// A recurrent cell for one row: from its sums to its new state (heed_torch/nn/recurrent/cell.h has the formulas).
// `width` is d_hidden. The gates are concatenated: i f g o for an LSTM, r z n for a GRU.
#pragma once

#include <cstdint>

namespace heed::kernels {

/// The sums of a row: W x + b of the input, the same of a second input if there is one, and U h of the previous state.
struct CellSums {
  const float* input;
  const float* extra;  ///< null: no second input
  const float* state;
};

/// c' = f c + i g and the gate o. before, cell (may be the same array), output_gate: [width].
void lstm_cell(const CellSums& sums, int64_t width, const float* before, float* cell, float* output_gate);
/// x *= tanh(y): the h' of an LSTM from o and c'.
void multiply_by_tangent(float* x, const float* y, int64_t width);

/// (1 - z) n + z h, with the reset gate applied to U h + d. before: h; must not be `hidden`.
void gru_cell(const CellSums& sums, int64_t width, const float* before, float* hidden);

/// The gates of Cho's unit: writes r h to `reset` (which may be `before`) and z to `update`.
void cho_gates(const CellSums& sums, int64_t width, const float* before, float* reset, float* update);
/// (1 - z) n + z h. sums.state: only U (r h), [width]; before: h, which may be `hidden`.
void cho_cell(const CellSums& sums, int64_t width, const float* before, const float* update, float* hidden);

/// tanh(W x + b + U h), or max(0, W x + b + U h)
void tanh_cell(const CellSums& sums, int64_t width, float* hidden);
void relu_cell(const CellSums& sums, int64_t width, float* hidden);

/// The larger of each pair: x[i] = max(x[i], y[i]); NaN if x[i] or y[i] is NaN.
void take_larger(float* x, const float* y, int64_t width);

}  // namespace heed::kernels
