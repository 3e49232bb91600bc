// The convolutional decoder of Gehring et al. 2017 (https://arxiv.org/abs/1705.03122, section 3.3). Let g be the
// target's embeddings plus positions, z and v from the encoder (convolution/encoder.cpp), m the source's length and f_l
// causal gated convolutions:
//   y_0 = W_in g,   h = f_l(y_{l-1}),   d = (W_d h + g) sqrt(1/2),   a = softmax(d . z),   c = sqrt(m) sum_j a_j v_j
//   y_l = ((h + W_c c) sqrt(1/2) + y_{l-1}) sqrt(1/2),   hidden = W_out y_L
// Every layer has attention. Without an encoder there is no c: this is the language model of Dauphin et al. 2017.
#pragma once

#include <torch/nn/modules/container/modulelist.h>

#include "heed/architecture/convolution_options.h"
#include "heed_torch/models/convolution/decoder_state.h"
#include "heed_torch/nn/embedding.h"
#include "heed_torch/nn/gated_convolution.h"
#include "heed_torch/nn/linear.h"
#include "heed_torch/nn/positions/positions.h"

namespace heed::models {

/// One layer: a convolution and, with an encoder, attention to its output.
class ConvolutionDecoderLayerImpl : public torch::nn::Module {
 public:
  ConvolutionDecoderLayerImpl(const ConvolutionStackOptions& options, int64_t d_model, bool attends);

  /// The result of a layer.
  struct Output {
    Tensor states;   ///< float [S, rows, hidden]
    Tensor weights;  ///< float [S, rows, source]; undefined without an encoder
  };
  /// Computes the layer after its convolution. x: the layer's input, convolved: the convolution's result, both float
  /// [S, rows, hidden]; embedded: g, float [S, rows, d_model].
  Output finish(const Tensor& x, const Tensor& convolved, const Tensor& embedded, const ConvolutionMemory& memory);

  nn::GatedConvolution convolution;
  nn::Linear query{nullptr};    ///< W_d
  nn::Linear context{nullptr};  ///< W_c
};
TORCH_MODULE(ConvolutionDecoderLayer);

class ConvolutionDecoder : public Decoder {
 public:
  /// d_memory: width of the encoder's states, 0 for a language model. If it differs from the embeddings' width, a
  /// linear layer projects keys and values. dropout: on the embeddings, every layer's input and the result.
  ConvolutionDecoder(const ConvolutionDecoderOptions& options, double dropout, int64_t d_memory,
                     const nn::TokenEmbedding& target);

  Decoded forward(const Tensor& target, const Memory* memory, RequestedOutputs want = {}) override;
  std::unique_ptr<DecoderState> start(const Memory* memory, int64_t beam, int64_t sentences = 0) override;
  Decoded step(const Tensor& tokens, DecoderState& state, RequestedOutputs want = {}) override;

  nn::TokenEmbedding embedding;
  nn::Positions positions;
  nn::Linear input, output;        ///< W_in, W_out
  nn::Linear memory_map{nullptr};  ///< projects encoder states of another width to that of the embeddings
  torch::nn::ModuleList layers;    ///< ConvolutionDecoderLayer

 private:
  ConvolutionMemory attend_to(const Memory* memory);
  Tensor dropped(const Tensor& x) const;
  Decoded finish(const Tensor& x, const std::vector<Tensor>& weights, const RequestedOutputs& want);

  double dropout_;
  bool has_memory_;
};

}  // namespace heed::models
