// The sizes of tensors and files, and whether a disk has space for them before they are written.
#pragma once

#include <cstdint>
#include <string>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::checkpoint {

/// Bytes that the tensors take in a file.
int64_t bytes_of(const NamedTensors& tensors);
/// Bytes of a file, or of all files in a directory and its subdirectories; files that vanish meanwhile count 0. A
/// missing path has 0 bytes.
int64_t bytes_of_files(const std::string& path);
/// Throws Error, naming both sizes, unless the disk of `directory` has space for `bytes` and a reserve of 1 MiB.
void require_space(const std::string& directory, int64_t bytes, const std::string& what);

}  // namespace heed::checkpoint
