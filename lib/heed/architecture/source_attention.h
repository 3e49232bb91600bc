// Whether a network attends to its source according to its options.
#pragma once

#include "heed/architecture/architecture.h"

namespace heed::models {

/// The attention of a recurrent decoder to the source; null if it has no attention or the decoder is not recurrent.
const nn::MemoryAttentionOptions* recurrent_attention(const ArchitectureOptions& options);

/// Whether the decoder attends to the source; false without an encoder.
bool has_source_attention(const ArchitectureOptions& options);

}  // namespace heed::models
