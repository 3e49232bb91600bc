// A run of the engine: sentences with their hypotheses side by side, and what decoding remembers of them. Searches,
// samples and scores are made with one; it is one thread's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heed/engine/engine.h"

namespace heed::engine {

class EngineRun {
 public:
  /// The engine, which must outlive it, is shared.
  explicit EngineRun(const Engine& engine);

  /// Begins anew with these sources, of which a language model looks at the number alone. Throws ConfigError where
  /// attention is wanted of a model that has none.
  void start(const Sources& sources, int64_t beam, bool attention);
  /// Reads one token of each hypothesis. tokens: [S * beam] -> hidden: [S * beam, d], until the next step.
  const Rows& step(std::span<const int32_t> tokens);
  /// The same of the first hypotheses of each beam alone; the others are lost unless they continue one of those. live:
  /// [S], their numbers; tokens: [R], sentence by sentence -> hidden: [R, d].
  const Rows& step(std::span<const int32_t> tokens, std::span<const int64_t> live);
  /// The attention over the sources in the last step, if it is wanted: [R, columns].
  const std::vector<float>& attention() const { return attention_; }
  int64_t columns() const { return columns_; }
  /// Keeps these sentences; each beam continues its parent. sentences: [S']; parents: [S' * beam].
  void select(std::span<const int64_t> sentences, std::span<const int32_t> parents);
  /// Admits sentences behind the present ones.
  void join(const Sources& sources);

  int64_t beam() const { return beam_; }
  /// The tokens of the longest target, end-of-sentence not counted; the largest number there is without a limit.
  int64_t max_length() const;

 private:
  const Engine& engine_;
  std::unique_ptr<EncoderRun> encoder_;  // null: a language model
  std::unique_ptr<DecoderRun> decoder_;
  int64_t beam_ = 1;
  bool wants_attention_ = false;
  SentenceStates states_;
  std::vector<int64_t> source_lengths_;  // of each state, eos counted
  Memory memory_;
  Rows hidden_;
  std::vector<float> attention_;
  int64_t columns_ = 0;
};

}  // namespace heed::engine
