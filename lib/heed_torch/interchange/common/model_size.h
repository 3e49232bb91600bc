// How many numbers a network has: what a damaged or hostile file describes is not made before that many are there.
#pragma once

#include <cstdint>
#include <string_view>

#include "heed/architecture/architecture.h"
#include "heed_torch/interchange/common/foreign_tensors.h"

namespace heed::interchange {

/// Throws CheckpointError where a Transformer with tables of so many rows has more numbers than there are.
/// description: what says so, "config.json describes".
void require_numbers(const models::ArchitectureOptions& arch, int64_t rows, const ForeignTensors& tensors,
                     std::string_view description);

}  // namespace heed::interchange
