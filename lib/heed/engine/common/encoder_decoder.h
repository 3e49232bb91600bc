// The interfaces of the engine's encoders and decoders. Threads share the objects with weights. A run belongs to one
// thread and has its working memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heed/architecture/memory_shape.h"
#include "heed/engine/common/embedding.h"
#include "heed/engine/common/memory.h"
#include "heed/engine/common/precision.h"
#include "heed/engine/common/rows.h"
#include "heed/engine/common/sources.h"
#include "heed/engine/common/weights.h"
#include "heed/text/alignment.h"

namespace heed::models {
struct ArchitectureOptions;
struct TransformerEncoderOptions;
struct RnnEncoderOptions;
struct ConvolutionEncoderOptions;
struct TransformerDecoderOptions;
struct RnnDecoderOptions;
struct ConvolutionDecoderOptions;
}  // namespace heed::models

namespace heed::engine {

/// The attention weights of a Transformer while it reads one sentence with one hypothesis: for each layer and head a
/// row per query. Empty where a model has no such attention.
struct AttentionRecord {
  text::HeadWeights encoder;  ///< self-attention: [source, eos] to [source, eos]
  text::HeadWeights decoder;  ///< self-attention: a row per step, to the tokens read so far
  text::HeadWeights cross;    ///< a row per step, to [source, eos]
};

class EncoderRun {
 public:
  virtual ~EncoderRun() = default;
  /// Lets the run add its weights to `record`, which must outlive it.
  virtual void record_attention(AttentionRecord& /*record*/) {}
  virtual void encode(const Sources& sources, Memory& memory) = 0;
};

/// The decoder state of one sentence and its `beam` hypotheses.
class SentenceState {
 public:
  explicit SentenceState(int64_t beam) : live(beam) {}
  virtual ~SentenceState() = default;
  int64_t live;  ///< hypotheses that the next step reads: the first ones of the beam
  /// Each beam continues its parent. parents: [beam]
  virtual void select(std::span<const int32_t> parents) = 0;
};
using SentenceStates = std::vector<std::unique_ptr<SentenceState>>;

/// A hypothesis in a step.
template <class State>
struct LiveRow {
  State* state;
  int64_t beam;
};
/// Lists the live hypotheses, sentence by sentence. State: the decoder's state type.
template <class State>
void take_live_rows(const SentenceStates& states, std::vector<LiveRow<State>>& rows) {
  rows.clear();
  for (const auto& each : states) {
    for (int64_t b = 0; b < each->live; ++b) rows.push_back({static_cast<State*>(each.get()), b});
  }
}

/// The destination of the attention over the sources.
struct AttentionRows {
  float* numbers = nullptr;  ///< [rows, distance]; null: attention is not wanted
  int64_t distance = 0;      ///< floats from row to row: the length of the longest source, or more
};

class DecoderRun {
 public:
  virtual ~DecoderRun() = default;
  /// As EncoderRun's.
  virtual void record_attention(AttentionRecord& /*record*/) {}
  /// Adds the states of these sentences before their first token. memory: the encoder output; null for a language
  /// model.
  virtual void start(const Sources& sources, const Memory* memory, int64_t beam, SentenceStates& states) = 0;
  /// Reads one token of each live hypothesis. tokens: [rows], sentence by sentence -> hidden: [rows, d].
  virtual void step(std::span<const int32_t> tokens, const SentenceStates& states, Rows& hidden,
                    const AttentionRows& attention) = 0;
};

class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual std::unique_ptr<EncoderRun> begin_run() const = 0;
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual std::unique_ptr<DecoderRun> begin_run() const = 0;
};

/// What an encoder or decoder is built from.
struct ModelSource {
  const models::ArchitectureOptions& arch;
  const Weights& weights;
  Precision precision;
  EmbeddingTable embedding;    ///< of the source for an encoder, of the target for a decoder
  models::MemoryShape memory;  ///< of the encoder output; d_memory is 0 for a language model
};
/// Each is defined next to its encoder or decoder.
std::unique_ptr<Encoder> build(const models::TransformerEncoderOptions& options, const ModelSource& source);
std::unique_ptr<Encoder> build(const models::RnnEncoderOptions& options, const ModelSource& source);
std::unique_ptr<Encoder> build(const models::ConvolutionEncoderOptions& options, const ModelSource& source);
std::unique_ptr<Decoder> build(const models::TransformerDecoderOptions& options, const ModelSource& source);
std::unique_ptr<Decoder> build(const models::RnnDecoderOptions& options, const ModelSource& source);
std::unique_ptr<Decoder> build(const models::ConvolutionDecoderOptions& options, const ModelSource& source);

}  // namespace heed::engine
