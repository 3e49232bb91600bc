// How many bytes there are: of tensors and files, and whether a disk has room for them before they are written.
#pragma once

#include <cstdint>
#include <string>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::checkpoint {

/// Bytes that the tensors take in a file.
int64_t bytes_of(const NamedTensors& tensors);
/// Bytes of a file, or of the files in a directory and the directories below it, without those that vanish meanwhile; 0
/// if there is none.
int64_t bytes_of_files(const std::string& path);
/// Throws Error, naming both sizes, unless the disk of `directory` has `bytes` and a reserve of 1 MiB left.
void require_space(const std::string& directory, int64_t bytes, const std::string& what);

}  // namespace heed::checkpoint
