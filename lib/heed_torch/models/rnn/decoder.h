// The recurrent decoder. Its attention is before the cell (Bahdanau et al. 2015, https://arxiv.org/abs/1409.0473),
// after it (Luong et al. 2015, https://arxiv.org/abs/1508.04025) or missing (Sutskever et al. 2014,
// https://arxiv.org/abs/1409.3215). For target position t with the previous word y_{t-1}, cells f_l of the layers l and
// attention a(query):
//   before   c = a(s^1_{t-1});  s^1 = f_1([y; c], s^1_{t-1});  s^l = f_l([s^{l-1}; c if wanted], s^l_{t-1})
//   after    s^1 = f_1([y; r_{t-1} if fed], s^1_{t-1});  s^l = f_l(s^{l-1}, s^l_{t-1});  c = a(s^last)
//   r_t = readout(s^last, c, y)
// Without an encoder it is a language model (Mikolov et al. 2010).
#pragma once

#include <torch/nn/modules/container/modulelist.h>

#include "heed/architecture/rnn_options.h"
#include "heed_torch/models/common/decoder.h"
#include "heed_torch/models/rnn/decoder_state.h"
#include "heed_torch/models/rnn/initial_state.h"
#include "heed_torch/models/rnn/readout.h"
#include "heed_torch/nn/embedding.h"
#include "heed_torch/nn/recurrent/layer.h"

namespace heed::models {

class RnnDecoder : public Decoder {
 public:
  /// memory: shape of the encoder output; its d_memory is 0 for a language model. dropout: on the input of every layer
  /// and on the readout.
  RnnDecoder(const RnnDecoderOptions& options, double dropout, const MemoryShape& memory,
             const nn::TokenEmbedding& target);

  Decoded forward(const Tensor& target, const Memory* memory, RequestedOutputs want = {}) override;
  std::unique_ptr<DecoderState> start(const Memory* memory, int64_t beam, int64_t sentences = 0) override;
  Decoded step(const Tensor& tokens, DecoderState& state, RequestedOutputs want = {}) override;
  bool reads_on() const override { return !has_memory() && !options_.stack.memory_tape; }
  Decoded read_on(const Tensor& target, std::vector<CellState>& carried) override;

  nn::TokenEmbedding embedding;
  InitialState initial_state{nullptr};     ///< null without an encoder
  torch::nn::ModuleList cells;             ///< one nn::RecurrentCell per layer
  nn::MemoryAttention attention{nullptr};  ///< null without attention
  Readout readout{nullptr};

 private:
  class Pass;

  bool has_memory() const { return !initial_state.is_empty(); }
  bool attends_before() const { return std::holds_alternative<AttentionBeforeCell>(options_.attention); }
  RnnPosition first_position(const Memory* memory, int64_t beam, int64_t sentences);
  /// Projects the inputs of the first cell for all positions in one matrix multiplication. embedded: float [S, target,
  /// d_model] -> for each position [S, 1, gates * d_hidden].
  std::vector<Tensor> project_steps(const Tensor& embedded);
  nn::AttendedMemory attend_to(const Memory& memory);
  /// The input of layers that do not wait for attention.
  struct LayersInput {
    Tensor x;  ///< float [S, target, d_input]: the input of first_layer
    size_t first_layer = 0;
    Tensor context = {};  ///< float [S, target, d_context], for cells with a context input
  };
  /// Computes all positions, layer by layer. states: each layer's state, [S, 1, d_hidden], before this text; replaced
  /// by the state after it. Returns the last layer's states, float [S, target, d_hidden].
  Tensor read_layers(const LayersInput& input, std::vector<CellState>& states);
  /// Attention and readout after the layers were computed for all positions.
  Decoded look_behind(const Pass& pass, const Tensor& states, const Tensor& embedded, RnnPosition& at,
                      const RequestedOutputs& want);
  /// Attention before the cell: computes the first layer position by position. The other layers and the readout follow
  /// for all positions at once, since no later position depends on them.
  Decoded read_attending(const Pass& pass, const Tensor& embedded, RnnPosition at, const RequestedOutputs& want);
  /// Input feeding: computes all layers position by position.
  Decoded read_fed(const Pass& pass, const Tensor& embedded, RnnPosition at, const RequestedOutputs& want);
  Decoded finish(const Tensor& readouts, const nn::AttentionResult& attended, const RequestedOutputs& want);

  RnnDecoderOptions options_;
  double dropout_;
};

}  // namespace heed::models
