// Attention of a recurrent network to its own past (Cheng et al. 2016, https://arxiv.org/abs/1601.06733, section 3.1).
// The cell keeps all its states on a tape. Instead of the last state it reads a mixture of them: for input x_t and the
// states h_i, c_i of the previous positions,
//   a_i = v . tanh(W_h h_i + W_x x_t + W_s h~_{t-1}),   s = softmax(a),   h~_t = sum_i s_i h_i,   c~_t = sum_i s_i c_i
// and h~_t, c~_t replace h_{t-1}, c_{t-1} in the cell. W_x x_t is computed in one matrix multiplication with the cell's
// own projection of x_t, and has a bias if that has one (without layer normalization). The tape starts with the initial
// state.
#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/step_linear.h"

namespace heed::nn {

/// Members are undefined without a tape. `...`: the rows, [S] or [S, beam]; n: entries.
struct MemoryTape {
  Tensor keys;    ///< float [..., n, d_hidden]: W_h h_i
  Tensor states;  ///< float [..., n, d_hidden], or twice that width with cells: h_i and c_i concatenated
  Tensor real;    ///< bool [..., n], true = an entry of this row
  Tensor recall;  ///< float [..., d_hidden]: h~ of the previous position

  bool defined() const { return keys.defined(); }
};

class TapeAttentionImpl : public torch::nn::Module, public Initialized {
 public:
  explicit TapeAttentionImpl(int64_t d_hidden);

  void initialize(Initializer& values) override;

  Linear key{nullptr};     ///< W_h
  Linear recall{nullptr};  ///< W_s
  Tensor vector;           ///< v [1, d_hidden]
};
TORCH_MODULE(TapeAttention);

/// The attention in one pass over the steps.
class TapeAttentionPass {
 public:
  explicit TapeAttentionPass(TapeAttentionImpl& attention);

  /// A tape with the initial state only. hidden: float [..., d_hidden]; cell: the same shape, or undefined.
  MemoryTape begin(const Tensor& hidden, const Tensor& cell) const;
  /// [h~; c~], float [..., width of states]. x: W_x x_t, float [..., d_hidden].
  Tensor recall(const MemoryTape& tape, const Tensor& x) const;
  /// The tape with one more entry. hidden, cell: as in begin(); recalled: float [..., width of states], from recall().
  MemoryTape append(const MemoryTape& tape, const Tensor& hidden, const Tensor& cell, const Tensor& recalled) const;

 private:
  StepLinear key_, recall_;
  Tensor vector_;
};

}  // namespace heed::nn
