// The variables of CTranslate2's Transformer (ctranslate2/specs/transformer_spec.py).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heed_torch/interchange/common/layer_parameters.h"

namespace heed::interchange {

inline constexpr const char* kTransformerSpecification = "TransformerSpec";
inline constexpr uint32_t kTransformerRevision = 7;

inline constexpr const char* kSourceTable = "encoder/embeddings_0/weight";
inline constexpr const char* kTargetTable = "decoder/embeddings/weight";
inline constexpr const char* kProjection = "decoder/projection/weight";
inline constexpr const char* kProjectionBias = "decoder/projection/bias";

/// The ending of a tensor's name, after the name of its part.
struct VariableEnding {
  std::string heed, ctranslate2;
};
std::span<const VariableEnding> variable_endings(PartKind kind);

}  // namespace heed::interchange
