// Writes tensors as the safetensors library does, byte for byte: ordered by name, without gaps.
#pragma once

#include <string>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::interchange {

/// Writes float32 with the metadata that transformers expects. Throws FileError.
void write_as_transformers(const std::string& path, const checkpoint::NamedTensors& tensors);

}  // namespace heed::interchange
