// Tensors in a file of the safetensors format (core/files/safetensors.h). Nothing in it is executed, many tools can
// read it, and a damaged file is an error.
#pragma once

#include <map>
#include <string>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::checkpoint {

using Metadata = std::map<std::string, std::string>;

struct TensorFile {
  NamedTensors tensors;
  Metadata metadata;
};

/// Maps the file into memory: a tensor's bytes are read when they are used. Writing into a tensor changes neither the
/// file nor the tensors of another reader. dtypes: float64, float32, float16, bfloat16, int64, int32, uint8, bool.
/// Throws FileError. Throws CheckpointError, naming the fault, if sizes, offsets, dtypes and shapes contradict the
/// file's size.
TensorFile read_tensors(const std::string& path);

/// Writes atomically. Tensors may be on any device and strided. Every tensor is aligned to its element size, the first
/// to 64 bytes. Throws FileError; CheckpointError for another dtype.
void write_tensors(const std::string& path, const NamedTensors& tensors, const Metadata& metadata = {});

}  // namespace heed::checkpoint
