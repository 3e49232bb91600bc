// A run of the engine: a batch of sentences with their hypotheses and decoder states. Search, sampling and scoring each
// use one. It belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heed/engine/engine.h"

namespace heed::engine {

class EngineRun {
 public:
  /// Runs share the engine, which must outlive them.
  explicit EngineRun(const Engine& engine);

  /// Lets the model add its attention weights to `record`, which must outlive the run.
  void record_attention(AttentionRecord& record);

  /// Starts a new batch with these sources; a language model only uses their number. Throws ConfigError if attention is
  /// wanted and the model has none.
  void start(const Sources& sources, int64_t beam, bool attention);
  /// Reads one token of each hypothesis. tokens: [S * beam] -> hidden: [S * beam, d], valid until the next step.
  const Rows& step(std::span<const int32_t> tokens);
  /// The same for the first hypotheses of each beam only. The others must not be used again, unless they continue one
  /// of these. live: [S], their numbers; tokens: [R], sentence by sentence -> hidden: [R, d].
  const Rows& step(std::span<const int32_t> tokens, std::span<const int64_t> live);
  /// The attention over the sources in the last step: [R, columns]; only if requested.
  const std::vector<float>& attention() const { return attention_; }
  int64_t columns() const { return columns_; }
  /// Keeps these sentences; each beam continues its parent. sentences: [S']; parents: [S' * beam].
  void select(std::span<const int64_t> sentences, std::span<const int32_t> parents);
  /// Adds sentences to the batch, after the present ones.
  void join(const Sources& sources);

  int64_t beam() const { return beam_; }
  /// The maximum tokens of a target, without end-of-sentence. Without a limit: the largest int64_t.
  int64_t max_length() const;

 private:
  const Engine& engine_;
  std::unique_ptr<EncoderRun> encoder_;  // null for a language model
  std::unique_ptr<DecoderRun> decoder_;
  int64_t beam_ = 1;
  bool wants_attention_ = false;
  SentenceStates states_;
  std::vector<int64_t> source_lengths_;  // of each state, with eos
  Memory memory_;
  Rows hidden_;
  std::vector<float> attention_;
  int64_t columns_ = 0;
};

}  // namespace heed::engine
