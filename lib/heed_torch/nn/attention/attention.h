// Attention (Vaswani et al. 2017, section 3.2) with three exchangeable components:
//   - the kind: how queries, keys and values are computed from the states
//   - the scaled dot product (heed_torch/nn/attention/scaled_dot_product.h)
//   - in self-attention, how distance counts: relative or rotary positions
// Each kind adds something to the one before, for inputs x (queries) and m (keys and values; m = x in self-attention):
//   parameter-free  Attention(x, m, m)
//   single-head     Attention(x W^Q, m W^K, m W^V)
//   multi-head      Concat(head_1, ..., head_h) W^O,  head_i = Attention(x W_i^Q, m W_i^K, m W_i^V)
// With query-key normalization (Henry et al. 2020, https://arxiv.org/abs/2010.04245; Dehghani et al. 2023,
// https://arxiv.org/abs/2302.05442, section 2), the queries and keys of each head pass through a norm before they are
// rotated and multiplied. All heads of a layer share its learned scales: one for queries, one for keys.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/architecture/attention_options.h"
#include "heed_torch/nn/attention/key_value_cache.h"
#include "heed_torch/nn/attention/scaled_dot_product.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/masks.h"
#include "heed_torch/nn/norm.h"
#include "heed_torch/nn/positions/rotary.h"

namespace heed::nn {

/// The inputs that all self-attention layers of a forward pass share.
struct AttentionFrame {
  AttentionMask mask = {};
  Rotation rotation = {};  ///< rotation for the positions of this pass's tokens; undefined without rotary positions
  Tensor relative_rows =
      {};  ///< see heed_torch/nn/positions/relative_positions.h; undefined without relative positions
};

class SelfAttentionImpl : public torch::nn::Module, public LoraHost {
 public:
  explicit SelfAttentionImpl(const AttentionOptions& options);

  /// x: float [S, length, d_model]. The context has the same shape.
  Attended forward(const Tensor& x, const AttentionFrame& frame, bool want_weights = false);
  /// Computes the next position only and appends its key and value to the cache. x: float [rows, 1, d_model].
  Attended step(const Tensor& x, KeyValueCache& cache, const AttentionFrame& frame, bool want_weights = false);
  int64_t add_lora(const LoraOptions& options) override;
  const AttentionOptions& options() const { return options_; }

  Linear query_key_value{nullptr};      ///< W^Q, W^K and W^V stacked; null if parameter-free
  Norm query_norm, key_norm;            ///< of each head
  RelativePositions relative{nullptr};  ///< null without relative positions
  Linear output{nullptr};               ///< W^O, multi-head only

 private:
  struct Heads {
    Tensor query, keys, values;  // [S, length, heads, d_head]
  };
  Tensor project(const Tensor& x);
  static Heads turned(const Tensor& stacked, const Rotation& rotation);
  double dropout() const { return is_training() ? options_.dropout : 0; }
  Attended attend(const Tensor& query, const KeysValues& memory, const AttentionFrame& frame, bool want_weights);

  AttentionOptions options_;
};
TORCH_MODULE(SelfAttention);

class CrossAttentionImpl : public torch::nn::Module, public LoraHost {
 public:
  explicit CrossAttentionImpl(const AttentionOptions& options);

  /// Computes keys and values of the encoder output for this layer, once per sentence, however many queries follow.
  /// states: float [S, source, d_memory].
  KeysValues project(const Tensor& states);
  /// x: float [S, query, d_model], queries are positions or beams; mask: of the source's keys. The context has the
  /// shape of x.
  Attended forward(const Tensor& x, const KeysValues& memory, const AttentionMask& mask, bool want_weights = false);
  int64_t add_lora(const LoraOptions& options) override;
  const AttentionOptions& options() const { return options_; }

  Linear query{nullptr};      ///< W^Q; null if parameter-free
  Linear key_value{nullptr};  ///< W^K and W^V stacked; null if parameter-free
  Norm query_norm, key_norm;  ///< of each head
  Linear output{nullptr};     ///< W^O, multi-head only

 private:
  AttentionOptions options_;
};
TORCH_MODULE(CrossAttention);

}  // namespace heed::nn
