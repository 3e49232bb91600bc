// Whether a network attends to its source, as its options say.
#pragma once

#include "heed/architecture/architecture.h"

namespace heed::models {

/// The attention of a recurrent decoder to the source; null: it has none, or the decoder is of another kind.
const nn::MemoryAttentionOptions* recurrent_attention(const ArchitectureOptions& options);

/// Whether the decoder attends to the source. False without an encoder.
bool has_source_attention(const ArchitectureOptions& options);

}  // namespace heed::models
