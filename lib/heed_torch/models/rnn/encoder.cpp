#include "heed_torch/models/common/encoder.h"

#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <torch/nn/modules/container/modulelist.h>

#include "heed/architecture/rnn_options.h"
#include "heed_torch/nn/random/dropout.h"
#include "heed_torch/nn/recurrent/layer.h"

namespace heed::models {
namespace {

/// The recurrent encoder: the source reader's output, then a stack of recurrent layers. With both directions it is the
/// encoder (annotation network) of Bahdanau et al. 2015 (https://arxiv.org/abs/1409.0473, section 3.2).
class RnnEncoder : public Encoder {
 public:
  /// dropout: on the input of every layer.
  RnnEncoder(const RnnEncoderOptions& options, double dropout, std::shared_ptr<SourceReader> source);

  torch::nn::ModuleList layers;  ///< nn::RecurrentLayer

 protected:
  Memory encode(const SourceStates& source) override;

 private:
  std::vector<RnnEncoderLayer> described_;
  double dropout_;
};

RnnEncoder::RnnEncoder(const RnnEncoderOptions& options, double dropout, std::shared_ptr<SourceReader> source)
    : Encoder(std::move(source)), described_(layers_of(options, reader().d_model())), dropout_(dropout) {
  register_module("layers", layers);
  for (const RnnEncoderLayer& layer : described_) layers->push_back(nn::RecurrentLayer(layer.recurrent));
}

Memory RnnEncoder::encode(const SourceStates& source) {
  const Tensor& real = source.real;
  const bool padded = !real.is_cpu() || !real.all().item<bool>();  // on other devices, asking would wait for the device
  Memory memory{.states = source.states, .mask = real, .tokens = source.tokens, .last = {}};
  for (size_t i = 0; i < layers->size(); ++i) {
    const Tensor below = memory.states;  // [S, source, d_input]
    const Tensor x = nn::dropout(below, dropout_, is_training());
    nn::RecurrentOutput output = layers->ptr<nn::RecurrentLayerImpl>(i)->forward(x, padded ? real : Tensor());
    memory.states = described_[i].residual ? below + output.states : output.states;
    memory.last.push_back(output.last);
  }
  return memory;
}

}  // namespace

std::shared_ptr<Encoder> make_encoder(const RnnEncoderOptions& options, double dropout,
                                      std::shared_ptr<SourceReader> source) {
  return std::make_shared<RnnEncoder>(options, dropout, std::move(source));
}

}  // namespace heed::models
