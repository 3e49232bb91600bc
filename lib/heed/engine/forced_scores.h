// Scores given targets: the decoder reads them token by token (teacher forcing) and returns their log-probabilities.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/engine/engine.h"

namespace heed::engine {

/// A target and its source, both without end-of-sentence. A language model ignores the source.
struct ForcedTarget {
  std::span<const int32_t> source, target;
};

/// For each target: the log-probability of each of its tokens, then of end-of-sentence. All targets are read in one
/// batch. Throws Error if a log-probability is NaN.
std::vector<std::vector<float>> score_targets(const Engine& engine, std::span<const ForcedTarget> targets);

}  // namespace heed::engine
