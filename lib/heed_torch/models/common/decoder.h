// The interface of every decoder: all positions at once (training, scoring) and one position at a time (search).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <torch/nn/module.h>

#include "heed_torch/models/common/memory.h"
#include "heed_torch/models/common/selection.h"
#include "heed_torch/nn/losses/reinforce_loss.h"

namespace heed::models {

/// What a caller needs beside the hidden states.
struct Want {
  bool attention = false;      ///< the attention over the source that one would show (mean of the last layer's heads)
  bool all_attention = false;  ///< every layer and head
};

struct Decoded {
  Tensor hidden;     ///< float [S, target, d] from forward, [S, beam, d] from step; the output layer makes logits of it
  Tensor attention;  ///< float [S, target, source] / [S, beam, source] if wanted and there is any, else undefined
  std::vector<Tensor> all_attention;  ///< per layer [S, heads, target, source] (or beam for target) if wanted
  nn::SampledChoices choices = {};    ///< of a hard attention that is trained, [S, target]
};

/// What decoding must remember between steps. Rows are [S, beam]: the S source sentences' memory is not copied per
/// beam.
class DecoderState {
 public:
  virtual ~DecoderState() = default;
  /// Keeps these sentences and lets each beam continue its parent.
  virtual void select(const Selection& going_on) = 0;
  /// Appends the sentences of `admitted` (a state of the same decoder and beam, usually fresh) behind the present ones.
  virtual void join(DecoderState&& admitted) = 0;

  Tensor position;  ///< int64 [S]: how many tokens each sentence has consumed; rows differ once sentences have joined
};

class Decoder : public torch::nn::Module {
 public:
  /// target: int64 [S, target], each row: bos, ids, padding (0). memory: null for a language model.
  /// Position t of the result has seen target[0..t] and, but for a Transformer without its causal mask, nothing
  /// later.
  virtual Decoded forward(const Tensor& target, const Memory* memory, Want want = {}) = 0;
  /// The state before the first token, for memory->sentences() sentences (null memory: `sentences`).
  virtual std::unique_ptr<DecoderState> start(const Memory* memory, int64_t beam, int64_t sentences = 0) = 0;
  /// Consumes one token of each row. tokens: int64 [S, beam]; state: of start(), selected and joined since, with what
  /// is needed of the memory. Differentiable; sets no gradient guard.
  virtual Decoded step(const Tensor& tokens, DecoderState& state, Want want = {}) = 0;
  /// Whether read_on() works: a language model whose state has one size however much it has read.
  virtual bool reads_on() const { return false; }
  /// forward() of a language model for text that goes on where other text ended. carried: the state after that text, of
  /// every layer [S, d_hidden]; empty: there was none. It becomes the state after this text, without gradient.
  virtual Decoded read_on(const Tensor& target, std::vector<CellState>& carried);
  /// The longest target in tokens (bos counted) that it can read, if there is a limit.
  virtual std::optional<int64_t> max_length() const { return std::nullopt; }
  /// The longest source in tokens (eos counted) that its attention can look at, if there is a limit.
  virtual std::optional<int64_t> max_source_length() const { return std::nullopt; }

 protected:
  /// Throws unless there is a memory where one is expected, and none otherwise.
  static void check_memory(const Memory* memory, bool expected);
  /// Throws unless these tokens are one step of that state.
  static void check_tokens(const Tensor& tokens, const DecoderState& state);
};

}  // namespace heed::models
