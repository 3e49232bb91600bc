// Checks that a disk has room before writing on it.
#pragma once

#include <cstdint>
#include <string>

#include "heed/checkpoint/named_tensors.h"

namespace heed::checkpoint {

/// Bytes that the tensors take in a file.
int64_t bytes_of(const NamedTensors& tensors);
/// Throws Error, naming both sizes, unless the disk of `directory` has `bytes` and a reserve of 1 MiB left.
void require_space(const std::string& directory, int64_t bytes, const std::string& what);

}  // namespace heed::checkpoint
