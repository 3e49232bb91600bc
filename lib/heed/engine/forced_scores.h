// The log-probabilities of given targets: the decoder reads them, a token a step (teacher forcing).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/engine/engine.h"

namespace heed::engine {

/// A target and its source, both without end-of-sentence; of a language model the source is not looked at.
struct ForcedTarget {
  std::span<const int32_t> source, target;
};

/// Of each: log p of its tokens, then of end-of-sentence. The targets are read beside each other. Throws Error where
/// log-probabilities are no numbers.
std::vector<std::vector<float>> score_targets(const Engine& engine, std::span<const ForcedTarget> targets);

}  // namespace heed::engine
