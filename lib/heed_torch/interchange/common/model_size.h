// Checks a network's size before it is built: a damaged or hostile file may describe more numbers than it contains.
#pragma once

#include <cstdint>
#include <string_view>

#include "heed/architecture/architecture.h"
#include "heed_torch/interchange/common/external_tensors.h"

namespace heed::interchange {

/// Throws CheckpointError if a Transformer with tables of this many rows has more numbers than the tensors contain.
/// description: names the description, "config.json describes".
void require_numbers(const models::ArchitectureOptions& arch, int64_t rows, const ExternalTensors& tensors,
                     std::string_view description);

}  // namespace heed::interchange
