// The statistics of BLEU for one segment, for any tokenizer.
#pragma once

#include <cstdint>
#include <span>

#include "heed/metrics/ngram_matches.h"

namespace heed::metrics {

inline constexpr size_t kBleuOrder = 4;
inline constexpr size_t kBleuStatistics = 2 + 2 * kBleuOrder;

/// The length of the reference closest in length; ties: the shorter one. If no reference is closer than `farthest`, the
/// result is `farthest`.
int64_t closest_length(int64_t length, std::span<const Tokens> references, int64_t farthest);

/// Writes the length of the hypothesis, `reference_length`, the clipped n-gram matches for n = 1 ... 4, and the number
/// of the hypothesis' n-grams for n = 1 ... 4.
void write_bleu_statistics(NgramMatcher& matcher, const Tokens& hypothesis, std::span<const Tokens> references,
                           int64_t reference_length, std::span<double> statistics);

}  // namespace heed::metrics
