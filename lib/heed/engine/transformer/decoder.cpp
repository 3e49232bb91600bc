#include "heed/engine/common/encoder_decoder.h"

#include <algorithm>
#include <vector>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed/engine/common/beam_cache.h"
#include "heed/engine/transformer/sublayers.h"
#include "heed/kernels/vector_code.h"

namespace heed::engine {
namespace {

/// The Transformer decoder of heed_torch/models/transformer/decoder.h, one position at a time.
class TransformerDecoder : public Decoder {
 public:
  /// cross: the attention to the encoder output; absent for a language model.
  TransformerDecoder(const models::TransformerDecoderOptions& options, const LayerSource& source,
                     const EmbeddingTable& embedding, const std::optional<nn::AttentionOptions>& cross);
  std::unique_ptr<DecoderRun> begin_run() const override;

 private:
  class Run;
  struct Layer {
    SelfAttention self_attention;
    Norm self_attention_norm;
    std::optional<CrossAttention> cross_attention;
    Norm cross_attention_norm;
    FeedForward feed_forward;
    Norm feed_forward_norm;
  };

  TransformerStack stack_;
  std::vector<Layer> layers_;
  int64_t alignment_layer_;
  std::optional<int64_t> alignment_head_;
};

/// The decoder state of one sentence: keys and values of the target so far, and of the source.
class State : public SentenceState {
 public:
  State(int64_t layers, int64_t beam, int64_t d_model)
      : SentenceState(beam),
        past(layers, beam, 2 * d_model, BeamCache::Begin::Empty),
        memories(static_cast<size_t>(layers)) {}
  void select(std::span<const int32_t> parents) override { past.select(parents); }

  BeamCache past;                            // a row: a key and its value
  std::vector<std::vector<float>> memories;  // per layer: [source][2 * d]
  std::vector<int64_t> memory_places;
};

class TransformerDecoder::Run : public DecoderRun {
 public:
  explicit Run(const TransformerDecoder& decoder) : decoder_(decoder), scratch_(decoder.stack_.make_scratch()) {}

  void record_attention(AttentionRecord& record) override { record_ = &record; }

  void start(const Sources& sources, const Memory* memory, int64_t beam, SentenceStates& states) override {
    const int64_t d = decoder_.stack_.options.d_model;
    std::vector<State*> fresh;
    for (int64_t i = 0; i < sources.sentences(); ++i) {
      auto state = std::make_unique<State>(std::ssize(decoder_.layers_), beam, d);
      if (memory != nullptr) {
        for (int64_t j = 0; j < sources.length(i); ++j) state->memory_places.push_back(j * 2 * d);
      }
      fresh.push_back(state.get());
      states.push_back(std::move(state));
    }
    if (memory == nullptr) return;
    for (size_t layer = 0; layer < decoder_.layers_.size(); ++layer) {
      project_memory(*decoder_.layers_[layer].cross_attention, memory->states);
      for (int64_t i = 0; i < sources.sentences(); ++i) {
        auto& kept = fresh[static_cast<size_t>(i)]->memories[layer];
        kept.reserve(static_cast<size_t>(sources.length(i) * 2 * d));
        for (int64_t j = 0; j < sources.length(i); ++j) {
          const float* row = scratch_.stacked.row(sources.begins[static_cast<size_t>(i)] + j);
          kept.insert(kept.end(), row, row + 2 * d);
        }
      }
    }
  }

  void step(std::span<const int32_t> tokens, const SentenceStates& states, Rows& x,
            const AttentionRows& attention) override {
    take_live_rows(states, rows_);
    check(tokens.size() == rows_.size(), "a step needs a token of every live hypothesis");
    embed(tokens, x);
    for (const auto& state : states) of(state).past.append();
    for (size_t i = 0; i < decoder_.layers_.size(); ++i) {
      const Layer& layer = decoder_.layers_[i];
      decoder_.stack_.connect(x, layer.self_attention_norm, scratch_,
                              [&](const Rows& in, Rows& out, const Ending& ending) {
                                attend_to_past(layer.self_attention, i, in);
                                finish_attention(layer.self_attention.output, scratch_, out, ending);
                              });
      if (layer.cross_attention) {
        const bool aligns = static_cast<int64_t>(i) == decoder_.alignment_layer_;
        decoder_.stack_.connect(x, layer.cross_attention_norm, scratch_,
                                [&](const Rows& in, Rows& out, const Ending& ending) {
                                  attend_to_memory(*layer.cross_attention, i, in, aligns ? attention : AttentionRows{});
                                  finish_attention(layer.cross_attention->output, scratch_, out, ending);
                                });
      }
      decoder_.stack_.connect(
          x, layer.feed_forward_norm, scratch_,
          [&](const Rows& in, Rows& out, const Ending& ending) { layer.feed_forward(in, out, ending, scratch_); });
    }
    decoder_.stack_.finish(x);
  }

 private:
  static State& of(const std::unique_ptr<SentenceState>& state) { return static_cast<State&>(*state); }

  /// Computes the keys and values of all sources, into the scratch memory.
  void project_memory(const CrossAttention& attention, const Rows& memory) {
    Rows& stacked = scratch_.stacked;
    if (!attention.key_value.empty()) {
      scratch_.operand.take(memory);
      attention.key_value.multiply(scratch_.operand, stacked);
      for (int64_t i = 0; i < stacked.count(); ++i) attention.key_norm.apply_to_heads(attention.shape, stacked.row(i));
      return;
    }
    stacked.resize(memory.count(), 2 * memory.width());
    for (int64_t i = 0; i < memory.count(); ++i) {
      std::copy_n(memory.row(i), memory.width(), stacked.row(i));
      std::copy_n(memory.row(i), memory.width(), stacked.row(i) + memory.width());
    }
  }

  void embed(std::span<const int32_t> tokens, Rows& x) {
    x.resize(std::ssize(tokens), decoder_.stack_.options.d_model);
    for (size_t i = 0; i < rows_.size(); ++i) {
      const int64_t position = std::ssize(rows_[i].state->past.places(rows_[i].beam));
      decoder_.stack_.embed(tokens[i], position, scratch_, x.row(static_cast<int64_t>(i)));
    }
  }

  /// Self-attention. Stores the new keys and values.
  void attend_to_past(const SelfAttention& attention, size_t layer, const Rows& in) {
    const int64_t d = decoder_.stack_.options.d_model;
    const kernels::AttentionShape& shape = attention.shape;
    project(attention, in);
    scratch_.context.resize(in.count(), d);
    for (size_t i = 0; i < rows_.size(); ++i) {
      State& state = *rows_[i].state;
      const std::vector<int64_t>& places = state.past.places(rows_[i].beam);
      const int64_t position = std::ssize(places) - 1;
      float* query = scratch_.stacked.row(static_cast<int64_t>(i));
      attention.query_norm.apply_to_heads(shape, query);
      attention.key_norm.apply_to_heads(shape, query + d);
      if (scratch_.turning) {
        const float* angles = scratch_.turning->at(position);
        turn(shape, angles, query);
        turn(shape, angles, query + d);
      }
      float* cache = state.past.rows(static_cast<int64_t>(layer));
      std::copy_n(query + d, 2 * d, cache + places.back());
      attend_from(attention, position, query, {cache, cache + d, places.data(), std::ssize(places)}, scratch_,
                  scratch_.context.row(static_cast<int64_t>(i)));
      if (record_ != nullptr) {
        add_weights(record_->decoder, layer, shape.heads, scratch_.scores.data(), std::ssize(places));
      }
    }
  }

  /// Computes queries, keys and values of all hypotheses, into the scratch memory.
  void project(const SelfAttention& attention, const Rows& in) {
    Rows& stacked = scratch_.stacked;
    if (!attention.query_key_value.empty()) {
      scratch_.operand.take(in);
      return attention.query_key_value.multiply(scratch_.operand, stacked);
    }
    stacked.resize(in.count(), 3 * in.width());
    for (int64_t i = 0; i < in.count(); ++i) {
      for (int64_t part = 0; part < 3; ++part) std::copy_n(in.row(i), in.width(), stacked.row(i) + part * in.width());
    }
  }

  void attend_to_memory(const CrossAttention& attention, size_t layer, const Rows& in, const AttentionRows& wanted) {
    const int64_t d = decoder_.stack_.options.d_model;
    const kernels::AttentionShape& shape = attention.shape;
    const Rows* queries = &in;
    if (!attention.query.empty()) {
      scratch_.operand.take(in);
      attention.query.multiply(scratch_.operand, scratch_.stacked);
      for (int64_t row = 0; row < in.count(); ++row) {
        attention.query_norm.apply_to_heads(shape, scratch_.stacked.row(row));
      }
      queries = &scratch_.stacked;
    }
    scratch_.context.resize(in.count(), d);
    for (int64_t row = 0; row < in.count(); ++row) {
      const State& state = *rows_[static_cast<size_t>(row)].state;
      const float* memory = state.memories[layer].data();
      const int64_t length = std::ssize(state.memory_places), padded = kernels::padded_to_lanes(length);
      float* scores = scratch_.scores.reserve(shape.heads * padded);
      attend(shape, queries->row(row), memory, memory + d, state.memory_places.data(), length, scores,
             scratch_.context.row(row));
      if (record_ != nullptr) add_weights(record_->cross, layer, shape.heads, scores, length);
      if (wanted.numbers == nullptr) continue;
      float* kept = wanted.numbers + row * wanted.distance;
      if (decoder_.alignment_head_) {
        std::copy_n(scores + *decoder_.alignment_head_ * padded, length, kept);
      } else {
        keep_mean(scores, shape.heads, length, padded, kept);
      }
    }
  }
  /// Writes the mean of the heads' weights.
  static void keep_mean(const float* weights, int64_t heads, int64_t length, int64_t padded, float* mean) {
    for (int64_t j = 0; j < length; ++j) {
      float sum = 0;
      for (int64_t head = 0; head < heads; ++head) sum += weights[head * padded + j];
      mean[j] = sum / static_cast<float>(heads);
    }
  }

  const TransformerDecoder& decoder_;
  TransformerScratch scratch_;
  std::vector<LiveRow<State>> rows_;  // the live hypotheses of the step
  AttentionRecord* record_ = nullptr;
};

TransformerDecoder::TransformerDecoder(const models::TransformerDecoderOptions& options, const LayerSource& source,
                                       const EmbeddingTable& embedding,
                                       const std::optional<nn::AttentionOptions>& cross)
    : stack_(source, embedding, "decoder"),
      alignment_layer_(options.alignment_layer()),
      alignment_head_(options.alignment_head()) {
  for (int64_t i = 0; i < source.layer.stack.layers; ++i) {
    const std::string name = "decoder.layers." + std::to_string(i);
    Layer layer{.self_attention = SelfAttention(source, name + ".self_attention"),
                .self_attention_norm = Norm(source, name + ".self_attention_norm"),
                .cross_attention = std::nullopt,
                .cross_attention_norm = Norm(source, name + ".cross_attention_norm"),
                .feed_forward = FeedForward(source, name + ".feed_forward"),
                .feed_forward_norm = Norm(source, name + ".feed_forward_norm")};
    if (cross) layer.cross_attention.emplace(source, name + ".cross_attention", *cross);
    layers_.push_back(std::move(layer));
  }
}

std::unique_ptr<DecoderRun> TransformerDecoder::begin_run() const { return std::make_unique<Run>(*this); }

}  // namespace

std::unique_ptr<Decoder> build(const models::TransformerDecoderOptions& options, const ModelSource& source) {
  const LayerSource layers{source.weights, source.precision, {.d_model = source.arch.d_model, .stack = options.stack}};
  std::optional<nn::AttentionOptions> cross;
  if (source.arch.has_encoder()) {
    cross = layers.layer.cross_attention(options.cross_attention(), source.memory.d_memory);
  }
  return std::make_unique<TransformerDecoder>(options, layers, source.embedding, cross);
}

}  // namespace heed::engine
