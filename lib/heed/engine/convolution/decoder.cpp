#include "heed/engine/common/encoder_decoder.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed/engine/common/beam_cache.h"
#include "heed/engine/convolution/stack.h"
#include "heed/kernels/attention_step.h"
#include "heed/kernels/vector_code.h"

namespace heed::engine {
namespace {

/// The convolutional decoder, one position of all hypotheses at a time. heed_torch/models/convolution/decoder.h has the
/// formulas. All layers attend to the same keys and values.
class ConvolutionDecoder : public Decoder {
 public:
  ConvolutionDecoder(const Weights& weights, const models::ConvolutionDecoderOptions& options,
                     const EmbeddingTable& embedding, Precision precision);
  std::unique_ptr<DecoderRun> begin_run() const override;

 private:
  class Run;
  struct Layer {
    GatedConvolution convolution;
    Matrix query, context;  ///< empty in a language model
  };

  ConvolutionStack stack_;
  Matrix memory_map_;  // only if the encoder output has another width than the embeddings
  std::vector<Layer> layers_;
};

/// The decoder state of one sentence: the input of each layer at each position, and the source's keys and values.
class ConvolutionState : public SentenceState {
 public:
  ConvolutionState(const models::ConvolutionStackOptions& options, int64_t beam)
      : SentenceState(beam), past(options.layers, beam, options.hidden, BeamCache::Begin::RowOfZeros) {}
  void select(std::span<const int32_t> parents) override { past.select(parents); }

  BeamCache past;
  int64_t position = 0;       // number of tokens read
  std::vector<float> memory;  // [source][key, value]
  std::vector<int64_t> memory_places;
};

class ConvolutionDecoder::Run : public DecoderRun {
 public:
  explicit Run(const ConvolutionDecoder& decoder) : decoder_(decoder), operand_(decoder.stack_.precision) {}

  void start(const Sources& sources, const Memory* memory, int64_t beam, SentenceStates& states) override {
    if (memory != nullptr) make_keys(memory->states);
    for (int64_t i = 0; i < sources.sentences(); ++i) {
      auto state = std::make_unique<ConvolutionState>(decoder_.stack_.options, beam);
      if (memory != nullptr) {
        keep(memory->embedded, sources.begins[static_cast<size_t>(i)], sources.length(i), *state);
      }
      states.push_back(std::move(state));
    }
  }

  void step(std::span<const int32_t> tokens, const SentenceStates& states, Rows& hidden,
            const AttentionRows& wanted) override {
    take_live_rows(states, rows_);
    check(tokens.size() == rows_.size(), "a step needs a token of every live hypothesis");
    embed(tokens);
    operand_.take(embedded_);
    decoder_.stack_.input.multiply(operand_, x_);
    for (const auto& state : states) of(state).past.append();
    for (size_t i = 0; i < decoder_.layers_.size(); ++i) {
      const Layer& layer = decoder_.layers_[i];
      take_windows(static_cast<int64_t>(i));
      layer.convolution(windows_, operand_, convolved_);
      const bool last = i + 1 == decoder_.layers_.size();
      if (!layer.query.empty()) attend(layer, last ? wanted : AttentionRows{});
      add_scaled_residual(x_, convolved_);
    }
    operand_.take(x_);
    decoder_.stack_.output.multiply(operand_, hidden);
    for (const auto& state : states) ++of(state).position;
  }

 private:
  static ConvolutionState& of(const std::unique_ptr<SentenceState>& state) {
    return static_cast<ConvolutionState&>(*state);
  }

  /// Computes the keys of all sources, into keys_.
  void make_keys(const Rows& states) {
    if (!decoder_.memory_map_.empty()) {
      operand_.take(states);
      return decoder_.memory_map_.multiply(operand_, keys_);
    }
    keys_.resize(states.count(), states.width());
    std::copy_n(states.data(), states.count() * states.distance(), keys_.data());
  }
  /// Stores a sentence's keys and values. With the input e of a convolutional encoder, a value is (key + e) sqrt(1/2).
  void keep(const Rows& embedded, int64_t begin, int64_t length, ConvolutionState& state) const {
    const int64_t d = keys_.width();
    for (int64_t j = 0; j < length; ++j) {
      const float* key = keys_.row(begin + j);
      state.memory_places.push_back(j * 2 * d);
      state.memory.insert(state.memory.end(), key, key + d);
      for (int64_t i = 0; i < d; ++i) {
        state.memory.push_back(embedded.count() == 0 ? key[i] : (key[i] + embedded.row(begin + j)[i]) * kSqrtHalf);
      }
    }
  }

  void embed(std::span<const int32_t> tokens) {
    embedded_.resize(std::ssize(tokens), decoder_.stack_.d_model());
    for (size_t i = 0; i < rows_.size(); ++i) {
      decoder_.stack_.embed(tokens[i], rows_[i].state->position, embedded_.row(static_cast<int64_t>(i)));
    }
  }

  /// Stores x and makes the window of each row: the last `kernel` inputs of the layer, with zeros before the first
  /// position.
  void take_windows(int64_t layer) {
    const int64_t kernel = decoder_.stack_.options.kernel, width = x_.width();
    windows_.resize(x_.count(), kernel * width);
    for (int64_t row = 0; row < x_.count(); ++row) {
      const auto& [state, beam] = rows_[static_cast<size_t>(row)];
      BeamCache& past = state->past;
      const std::vector<int64_t>& places = past.places(beam);
      float* rows = past.rows(layer);
      std::copy_n(x_.row(row), width, rows + places.back());
      for (int64_t k = 0; k < kernel; ++k) {
        const int64_t seen = std::max<int64_t>(std::ssize(places) - kernel + k, 0);
        std::copy_n(rows + places[static_cast<size_t>(seen)], width, windows_.row(row) + k * width);
      }
    }
  }

  /// convolved = (convolved + W_c c) sqrt(1/2)
  void attend(const Layer& layer, const AttentionRows& wanted) {
    const int64_t d = decoder_.stack_.d_model();
    operand_.take(convolved_);
    layer.query.multiply(operand_, queries_);
    add_scaled_residual(queries_, embedded_);
    looked_.resize(queries_.count(), d);
    for (int64_t row = 0; row < queries_.count(); ++row) {
      const ConvolutionState& state = *rows_[static_cast<size_t>(row)].state;
      const int64_t length = std::ssize(state.memory_places);
      float* scores = scores_.reserve(kernels::padded_to_lanes(length));
      kernels::attend({.heads = 1, .d_head = d, .scale = 1}, queries_.row(row), state.memory.data(),
                      state.memory.data() + d, state.memory_places.data(), length, scores, looked_.row(row));
      const float root = std::sqrt(static_cast<float>(length));
      for (int64_t i = 0; i < d; ++i) looked_.row(row)[i] *= root;
      if (wanted.numbers != nullptr) std::copy_n(scores, length, wanted.numbers + row * wanted.distance);
    }
    operand_.take(looked_);
    layer.context.multiply(operand_, contexts_);
    add_scaled_residual(convolved_, contexts_);
  }

  const ConvolutionDecoder& decoder_;
  std::vector<LiveRow<ConvolutionState>> rows_;  // the live hypotheses of the step
  Operand operand_;
  Rows keys_, embedded_, x_, windows_, convolved_, queries_, looked_, contexts_;
  Buffer<float> scores_;
};

ConvolutionDecoder::ConvolutionDecoder(const Weights& weights, const models::ConvolutionDecoderOptions& options,
                                       const EmbeddingTable& embedding, Precision precision)
    : stack_(weights, options.stack, embedding, "decoder", precision),
      memory_map_(read_linear(weights, "decoder.memory_map", precision)) {
  for (int64_t i = 0; i < options.stack.layers; ++i) {
    const std::string name = "decoder.layers." + std::to_string(i);
    layers_.push_back({.convolution = GatedConvolution(weights, name + ".convolution", precision),
                       .query = read_linear(weights, name + ".query", precision),
                       .context = read_linear(weights, name + ".context", precision)});
  }
}

std::unique_ptr<DecoderRun> ConvolutionDecoder::begin_run() const { return std::make_unique<Run>(*this); }

}  // namespace

std::unique_ptr<Decoder> build(const models::ConvolutionDecoderOptions& options, const ModelSource& source) {
  return std::make_unique<ConvolutionDecoder>(source.weights, options, source.embedding, source.precision);
}

}  // namespace heed::engine
