// Writes tensors as the safetensors library does, byte for byte: names in order, nothing between them.
#pragma once

#include <string>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::interchange {

/// Float32, the metadata those that transformers looks for. Throws FileError.
void write_as_transformers(const std::string& path, const checkpoint::NamedTensors& tensors);

}  // namespace heed::interchange
