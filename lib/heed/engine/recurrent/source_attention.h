// Attention of a recurrent decoder to the source, for the states of all hypotheses: scores within a window, weights
// from the scores, and the context. heed_torch/nn/attention/memory_attention.h has the formulas of the windows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heed/architecture/memory_attention_options.h"
#include "heed/engine/common/encoder_decoder.h"
#include "heed/engine/recurrent/coverage.h"
#include "heed/engine/recurrent/score.h"

namespace heed::engine {

/// The keys and values of a source, stored for all steps.
struct AttendedSource {
  int64_t length = 0;
  std::vector<float> keys, states;                ///< per position; no keys if scores use the states
  std::vector<int64_t> key_places, state_places;  ///< the offset of each position
  std::vector<float> coverage;  ///< SourceCoverage::of_source, [length, width]; empty without coverage
};

/// A hypothesis and its source.
struct AttendingRow {
  const AttendedSource* source;
  int64_t position;                        ///< of the target, from 0
  const float* coverage_before = nullptr;  ///< [length, width], if there is coverage
  float* coverage_after = nullptr;         ///< must not overlap coverage_before
};

class SourceAttention {
 public:
  /// source: its name is the attention's. d_memory: width of the encoder output.
  SourceAttention(const nn::MemoryAttentionOptions& options, const ScoreSource& source, int64_t d_memory);

  int64_t coverage_width() const { return coverage_ ? coverage_->width() : 0; }

  /// The working memory of one thread.
  struct Scratch {
    explicit Scratch(Precision precision) : operand(precision), score(precision), coverage(precision) {}
    Operand operand;
    SourceScore::Scratch score;
    SourceCoverage::Scratch coverage;
    Rows keys, of_source, predicted, middles, looked, covered;
    Buffer<float> scores;
    std::vector<float> weights, sorted;
  };
  /// Stores the keys and values of each sentence. states: [tokens of all sources, d_memory]; kept: one per sentence.
  void keep(const Sources& sources, const Rows& states, Scratch& scratch, std::span<AttendedSource* const> kept) const;
  /// Computes the contexts. queries: [rows, d_query] -> contexts: [rows, d_memory].
  void attend(const Rows& queries, std::span<const AttendingRow> rows, Scratch& scratch, Rows& contexts,
              const AttentionRows& wanted) const;

 private:
  struct Window {
    int64_t first, count;
    float middle;
  };
  Window window_of(const AttendingRow& row, const float* predicted) const;
  void attend_row(const float* asked, int64_t r, const AttendingRow& row, Scratch& scratch, float* context,
                  float* wanted) const;
  void cover(const AttendingRow& row, const Window& window, Scratch& scratch, ScoredPositions& positions) const;
  void show(const AttendingRow& row, int64_t r, const Window& window, const float* chosen, Scratch& scratch,
            float* wanted) const;

  nn::MemoryAttentionOptions options_;
  int64_t d_memory_;
  std::unique_ptr<SourceScore> score_;
  std::optional<SourceCoverage> coverage_;
  Matrix predict_hidden_, predict_middle_;  // local-p only
};

}  // namespace heed::engine
