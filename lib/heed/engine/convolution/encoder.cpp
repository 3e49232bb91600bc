#include "heed/engine/common/encoder_decoder.h"

#include <algorithm>
#include <vector>

#include "heed/engine/convolution/stack.h"

namespace heed::engine {
namespace {

/// The convolutional encoder of heed_torch/models/convolution/encoder.cpp. Sentences are concatenated. A window has
/// zeros where it reaches beyond its sentence.
class ConvolutionEncoder : public Encoder {
 public:
  ConvolutionEncoder(const Weights& weights, const models::ConvolutionEncoderOptions& options,
                     const EmbeddingTable& embedding, Precision precision);
  std::unique_ptr<EncoderRun> begin_run() const override;

 private:
  class Run;

  ConvolutionStack stack_;
  std::vector<GatedConvolution> layers_;
};

class ConvolutionEncoder::Run : public EncoderRun {
 public:
  explicit Run(const ConvolutionEncoder& encoder) : encoder_(encoder), operand_(encoder.stack_.precision) {}

  void encode(const Sources& sources, Memory& memory) override {
    embed(sources, memory.embedded);
    operand_.take(memory.embedded);
    encoder_.stack_.input.multiply(operand_, x_);
    for (const GatedConvolution& layer : encoder_.layers_) {
      take_windows(sources);
      layer(windows_, operand_, convolved_);
      add_scaled_residual(x_, convolved_);
    }
    operand_.take(x_);
    encoder_.stack_.output.multiply(operand_, memory.states);
  }

 private:
  void embed(const Sources& sources, Rows& x) const {
    x.resize(sources.size(), encoder_.stack_.d_model());
    for (int64_t sentence = 0; sentence < sources.sentences(); ++sentence) {
      const int64_t begin = sources.begins[static_cast<size_t>(sentence)];
      for (int64_t i = 0; i < sources.length(sentence); ++i) {
        encoder_.stack_.embed(sources.tokens[static_cast<size_t>(begin + i)], i, x.row(begin + i));
      }
    }
  }

  /// For each position, the concatenated positions of the kernel around it.
  void take_windows(const Sources& sources) {
    const int64_t kernel = encoder_.stack_.options.kernel, width = x_.width();
    windows_.resize(x_.count(), kernel * width);
    for (int64_t sentence = 0; sentence < sources.sentences(); ++sentence) {
      const int64_t begin = sources.begins[static_cast<size_t>(sentence)], end = begin + sources.length(sentence);
      for (int64_t token = begin; token < end; ++token) {
        for (int64_t k = 0; k < kernel; ++k) {
          const int64_t seen = token + k - (kernel - 1) / 2;
          float* place = windows_.row(token) + k * width;
          seen < begin || seen >= end ? std::fill_n(place, width, 0.0f) : std::copy_n(x_.row(seen), width, place);
        }
      }
    }
  }

  const ConvolutionEncoder& encoder_;
  Operand operand_;
  Rows x_, windows_, convolved_;
};

ConvolutionEncoder::ConvolutionEncoder(const Weights& weights, const models::ConvolutionEncoderOptions& options,
                                       const EmbeddingTable& embedding, Precision precision)
    : stack_(weights, options.stack, embedding, "encoder", precision) {
  for (int64_t i = 0; i < options.stack.layers; ++i) {
    layers_.emplace_back(weights, "encoder.layers." + std::to_string(i), precision);
  }
}

std::unique_ptr<EncoderRun> ConvolutionEncoder::begin_run() const { return std::make_unique<Run>(*this); }

}  // namespace

std::unique_ptr<Encoder> build(const models::ConvolutionEncoderOptions& options, const ModelSource& source) {
  return std::make_unique<ConvolutionEncoder>(source.weights, options, source.embedding, source.precision);
}

}  // namespace heed::engine
