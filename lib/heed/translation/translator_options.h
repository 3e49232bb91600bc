// The options for translating lines in batches.
#pragma once

#include <cstdint>
#include <optional>

#include "heed/core/options.h"

namespace heed::translation {

/// The default weight of a language model's log-probabilities in shallow fusion.
inline constexpr double kFusionWeight = 0.2;

inline constexpr int64_t kBatchSentences = 64, kBatchTokens = 4096;
/// A GPU computes a step of many sentences as fast as one of few.
inline constexpr int64_t kGpuBatchSentences = 256, kGpuBatchTokens = 16'384;

/// Translations do not depend on these options, with two exceptions: the length at which lines are split, and rounding.
/// Sums in other batches differ in their last digits, and so may scores.
struct TranslatorOptions {
  int64_t max_source_length = 256;  ///< tokens; a longer line is split, translated in parts and joined again
  /// Sentences that a worker translates at once; none: kBatchSentences, or kGpuBatchSentences on a GPU.
  std::optional<int64_t> batch_sentences = {};
  /// Source tokens, padding included, that a worker translates at once; none: kBatchTokens, or kGpuBatchTokens on a
  /// GPU.
  std::optional<int64_t> batch_tokens = {};
  double refill = 0.5;        ///< continuous batching: waiting sentences enter when this share of a batch is free; 1: a
                              ///< new batch
  int64_t read_ahead = 8192;  ///< buffer: lines read before translating, then sorted by length; 1 answers line by line
  std::optional<int64_t> workers = {};  ///< threads that share the model; none: one per CPU thread, 1 on a GPU
  bool operator==(const TranslatorOptions&) const = default;
};
void describe(TranslatorOptions& o, AnyOptionVisitor auto& visit) {
  visit("max-source-length", o.max_source_length,
        "longest line, in tokens, that is translated whole; a longer one is split and joined again", between(8, 1e9));
  visit("batch-sentences", o.batch_sentences,
        "batch size: sentences that a worker translates at once; none: 64, 256 on a GPU", between(1, 1e9));
  visit("batch-tokens", o.batch_tokens,
        "batch size: source tokens, padding included, that a worker translates at once; none: 4096, 16384 on a GPU",
        between(1, 1e9));
  visit("continuous-batching", o.refill,
        "continuous batching: waiting sentences enter a batch when this share of it is free; 1: when the batch is "
        "finished",
        between(0, 1));
  visit("buffer-lines", o.read_ahead,
        "lines that are read before translating, and sorted by length; 1 answers line by line", between(1, 1e9));
  visit("workers", o.workers, "threads that translate, sharing the model; none: one for each CPU thread, 1 on a GPU",
        at_least(1));
}

}  // namespace heed::translation
