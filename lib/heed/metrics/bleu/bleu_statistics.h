// The statistics of BLEU for one segment, whatever tokenizer was used.
#pragma once

#include <cstdint>
#include <span>

#include "heed/metrics/ngram_matches.h"

namespace heed::metrics {

inline constexpr size_t kBleuOrder = 4;
inline constexpr size_t kBleuStatistics = 2 + 2 * kBleuOrder;

/// The length of the reference closest in length, the shorter of two as close; `farthest` when none is closer than
/// that.
int64_t closest_length(int64_t length, std::span<const Tokens> references, int64_t farthest);

/// Writes the length of the hypothesis, `reference_length`, the n-grams of the hypothesis that the references have too
/// (clipped) for n = 1 ... 4, and the n-grams of the hypothesis for n = 1 ... 4.
void write_bleu_statistics(NgramMatcher& matcher, const Tokens& hypothesis, std::span<const Tokens> references,
                           int64_t reference_length, std::span<double> statistics);

}  // namespace heed::metrics
