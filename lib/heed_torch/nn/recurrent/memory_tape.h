// Attention of a recurrent network to its own past (Cheng et al. 2016, https://arxiv.org/abs/1601.06733, section 3.1).
// The cell keeps all its states on a tape and does not go on from the last one but from a mixture: for input x_t and
// the states h_i, c_i of the positions before,
//   a_i = v . tanh(W_h h_i + W_x x_t + W_s h~_{t-1}),   s = softmax(a),   h~_t = sum_i s_i h_i,   c~_t = sum_i s_i c_i
// and h~_t, c~_t take the place of h_{t-1}, c_{t-1} in the cell. W_x x_t is made in one product with the cell's own map
// of x_t, and has a bias as that has one (without layer normalization). The tape begins with the initial state.
#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/step_linear.h"

namespace heed::nn {

/// Undefined members where there is no tape. `...`: the rows, [S] or [S, beam]; n: entries.
struct MemoryTape {
  Tensor keys;    ///< float [..., n, d_hidden]: W_h h_i
  Tensor states;  ///< float [..., n, d_hidden, or twice that with cells]: h_i and c_i side by side
  Tensor real;    ///< bool [..., n], true = an entry of this row
  Tensor recall;  ///< float [..., d_hidden]: h~ of the position before

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

/// The attention during one pass over the steps.
class TapeAttentionPass {
 public:
  explicit TapeAttentionPass(TapeAttentionImpl& attention);

  /// A tape that has the initial state alone. hidden: float [..., d_hidden]; cell: the same or undefined.
  MemoryTape begin(const Tensor& hidden, const Tensor& cell) const;
  /// [h~; c~], float [..., as wide as states]. x: W_x x_t, float [..., d_hidden].
  Tensor recall(const MemoryTape& tape, const Tensor& x) const;
  /// The tape with one more entry. hidden, cell: as for begin(); recalled: float [..., as wide as states], of recall().
  MemoryTape append(const MemoryTape& tape, const Tensor& hidden, const Tensor& cell, const Tensor& recalled) const;

 private:
  StepLinear key_, recall_;
  Tensor vector_;
};

}  // namespace heed::nn
