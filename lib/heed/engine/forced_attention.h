// The attention of a model that reads a given translation token by token (teacher forcing).
#pragma once

#include <cstdint>
#include <span>

#include "heed/engine/engine.h"

namespace heed::engine {

/// The weights of every layer and head. The rows of `decoder` and `cross` are the steps that give each token of the
/// target and end-of-sentence. Decoders that are no Transformer have one layer with one head: the attention that a
/// search returns. source, target: without end-of-sentence; the model has positions for both.
AttentionRecord read_attention(const Engine& engine, std::span<const int32_t> source, std::span<const int32_t> target);

}  // namespace heed::engine
