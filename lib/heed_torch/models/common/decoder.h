// The interface of all decoders: all positions at once (training, scoring) or one position at a time (search).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <torch/nn/module.h>

#include "heed_torch/models/common/memory.h"
#include "heed_torch/models/common/selection.h"
#include "heed_torch/nn/losses/reinforce_loss.h"

namespace heed::models {

/// What a caller needs in addition to the hidden states.
struct RequestedOutputs {
  bool attention = false;      ///< one attention over the source: the model's alignment (CrossAttentionOptions)
  bool all_attention = false;  ///< the attention of every layer and head
};

struct Decoded {
  Tensor hidden;     ///< float [S, target, d] from forward, [S, beam, d] from step; the output layer computes logits
                     ///< from it
  Tensor attention;  ///< float [S, target, source] / [S, beam, source] if requested and the decoder attends; else
                     ///< undefined
  std::vector<Tensor> all_attention;  ///< per layer [S, heads, target, source] (or beam for target) if requested
  nn::SampledPositions samples = {};  ///< samples of a hard attention in training, [S, target]
};

/// What decoding must keep between steps. Rows are [S, beam]. The encoder output of the S source sentences is not
/// copied for each beam.
class DecoderState {
 public:
  virtual ~DecoderState() = default;
  /// Keeps the selected sentences; each hypothesis continues its parent.
  virtual void select(const Selection& going_on) = 0;
  /// Appends the sentences of `admitted` after the present ones. `admitted` is a state of the same decoder and beam,
  /// usually fresh.
  virtual void join(DecoderState&& admitted) = 0;

  Tensor position;  ///< int64 [S]: number of tokens read in each sentence; they differ after sentences have joined
};

class Decoder : public torch::nn::Module {
 public:
  /// target: int64 [S, target], each row: bos, ids, padding (0). memory: null for a language model. Position t of the
  /// result depends on target[0..t] only, except in a Transformer without causal mask.
  virtual Decoded forward(const Tensor& target, const Memory* memory, RequestedOutputs want = {}) = 0;
  /// The state before the first token, for memory->sentences() sentences; if memory is null, for `sentences`.
  virtual std::unique_ptr<DecoderState> start(const Memory* memory, int64_t beam, int64_t sentences = 0) = 0;
  /// Reads one token of each row. tokens: int64 [S, beam]. state: from start(), possibly selected and joined since; it
  /// includes what is needed of the encoder output. Differentiable; sets no gradient guard.
  virtual Decoded step(const Tensor& tokens, DecoderState& state, RequestedOutputs want = {}) = 0;
  /// Whether read_on() is supported: a language model whose state has a fixed size, however much it has read.
  virtual bool reads_on() const { return false; }
  /// forward() of a language model for text that continues other text. carried: each layer's state after that text, [S,
  /// d_hidden]; empty if there is no such text. It is replaced by the state after this text, without gradient.
  virtual Decoded read_on(const Tensor& target, std::vector<CellState>& carried);

 protected:
  /// Throws if the encoder output is needed but missing, or given but not needed.
  static void check_memory(const Memory* memory, bool expected);
  /// Throws unless the tokens have the shape for one step of the state.
  static void check_tokens(const Tensor& tokens, const DecoderState& state);
};

}  // namespace heed::models
