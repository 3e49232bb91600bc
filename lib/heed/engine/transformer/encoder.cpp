#include "heed/engine/common/encoder_decoder.h"

#include <vector>

#include "heed/architecture/architecture.h"
#include "heed/engine/transformer/sublayers.h"

namespace heed::engine {
namespace {

/// The Transformer encoder of heed_torch/models/transformer/encoder.cpp. Sentences are concatenated without padding.
class TransformerEncoder : public Encoder {
 public:
  TransformerEncoder(const LayerSource& source, const EmbeddingTable& embedding);
  std::unique_ptr<EncoderRun> begin_run() const override;

 private:
  class Run;
  struct Layer {
    SelfAttention self_attention;
    Norm self_attention_norm;
    FeedForward feed_forward;
    Norm feed_forward_norm;
  };

  TransformerStack stack_;
  std::vector<Layer> layers_;
};

class TransformerEncoder::Run : public EncoderRun {
 public:
  explicit Run(const TransformerEncoder& encoder) : encoder_(encoder), scratch_(encoder.stack_.make_scratch()) {}

  void record_attention(AttentionRecord& record) override { record_ = &record.encoder; }

  void encode(const Sources& sources, Memory& memory) override {
    Rows& x = memory.states;
    embed(sources, x);
    for (size_t i = 0; i < encoder_.layers_.size(); ++i) {
      const Layer& layer = encoder_.layers_[i];
      encoder_.stack_.connect(x, layer.self_attention_norm, scratch_,
                              [&](const Rows& in, Rows& out, const Ending& ending) {
                                attend_to_all(layer.self_attention, i, sources, in);
                                finish_attention(layer.self_attention.output, scratch_, out, ending);
                              });
      encoder_.stack_.connect(
          x, layer.feed_forward_norm, scratch_,
          [&](const Rows& in, Rows& out, const Ending& ending) { layer.feed_forward(in, out, ending, scratch_); });
    }
    encoder_.stack_.finish(x);
  }

 private:
  void embed(const Sources& sources, Rows& x) {
    x.resize(sources.size(), encoder_.stack_.options.d_model);
    for (int64_t sentence = 0; sentence < sources.sentences(); ++sentence) {
      const int64_t begin = sources.begins[static_cast<size_t>(sentence)];
      for (int64_t i = 0; i < sources.length(sentence); ++i) {
        encoder_.stack_.embed(sources.tokens[static_cast<size_t>(begin + i)], i, scratch_, x.row(begin + i));
      }
    }
  }

  /// Computes the context of every position, into the scratch memory.
  void attend_to_all(const SelfAttention& attention, size_t layer, const Sources& sources, const Rows& in) {
    const int64_t d = encoder_.stack_.options.d_model;
    const kernels::AttentionShape& shape = attention.shape;
    Rows& context = scratch_.context;
    context.resize(in.count(), d);
    Heads heads = project(attention, in);
    for (int64_t row = 0; row < in.count(); ++row) {
      attention.query_norm.apply_to_heads(shape, heads.queries + row * heads.distance);
      attention.key_norm.apply_to_heads(shape, heads.keys + row * heads.distance);
    }
    for (int64_t sentence = 0; sentence < sources.sentences(); ++sentence) {
      const int64_t begin = sources.begins[static_cast<size_t>(sentence)], length = sources.length(sentence);
      scratch_.places.resize(static_cast<size_t>(length));
      for (int64_t i = 0; i < length; ++i) scratch_.places[static_cast<size_t>(i)] = (begin + i) * heads.distance;
      if (scratch_.turning) turn_sentence(shape, heads, begin, length);
      const AttendedPlaces places{heads.keys, heads.values, scratch_.places.data(), length};
      for (int64_t i = 0; i < length; ++i) {
        attend_from(attention, i, heads.queries + (begin + i) * heads.distance, places, scratch_,
                    context.row(begin + i));
        if (record_ != nullptr) add_weights(*record_, layer, shape.heads, scratch_.scores.data(), length);
      }
    }
  }

  struct Heads {
    float *queries, *keys, *values;
    int64_t distance;
  };
  Heads project(const SelfAttention& attention, const Rows& in) {
    Rows& stacked = scratch_.stacked;
    if (!attention.query_key_value.empty()) {
      scratch_.operand.take(in);
      attention.query_key_value.multiply(scratch_.operand, stacked);
      const int64_t d = encoder_.stack_.options.d_model;
      return {stacked.data(), stacked.data() + d, stacked.data() + 2 * d, stacked.distance()};
    }
    const bool turns = scratch_.turning.has_value();  // if so, queries and keys are rotated and differ from values
    stacked.resize(in.count(), turns ? 2 * in.width() : in.width());
    for (int64_t row = 0; row < in.count(); ++row) {
      std::copy_n(in.row(row), in.width(), stacked.row(row));
      if (turns) std::copy_n(in.row(row), in.width(), stacked.row(row) + in.width());
    }
    return {stacked.data(), stacked.data(), stacked.data() + (turns ? in.width() : 0), stacked.distance()};
  }
  void turn_sentence(const kernels::AttentionShape& shape, const Heads& heads, int64_t begin, int64_t length) {
    for (int64_t i = 0; i < length; ++i) {
      const float* angles = scratch_.turning->at(i);
      turn(shape, angles, heads.queries + (begin + i) * heads.distance);
      if (heads.keys != heads.queries) turn(shape, angles, heads.keys + (begin + i) * heads.distance);
    }
  }

  const TransformerEncoder& encoder_;
  TransformerScratch scratch_;
  text::HeadWeights* record_ = nullptr;
};

TransformerEncoder::TransformerEncoder(const LayerSource& source, const EmbeddingTable& embedding)
    : stack_(source, embedding, "encoder") {
  for (int64_t i = 0; i < source.layer.stack.layers; ++i) {
    const std::string name = "encoder.layers." + std::to_string(i);
    layers_.push_back({.self_attention = SelfAttention(source, name + ".self_attention"),
                       .self_attention_norm = Norm(source, name + ".self_attention_norm"),
                       .feed_forward = FeedForward(source, name + ".feed_forward"),
                       .feed_forward_norm = Norm(source, name + ".feed_forward_norm")});
  }
}

std::unique_ptr<EncoderRun> TransformerEncoder::begin_run() const { return std::make_unique<Run>(*this); }

}  // namespace

std::unique_ptr<Encoder> build(const models::TransformerEncoderOptions& options, const ModelSource& source) {
  const LayerSource layers{source.weights, source.precision, {.d_model = source.arch.d_model, .stack = options.stack}};
  return std::make_unique<TransformerEncoder>(layers, source.embedding);
}

}  // namespace heed::engine
