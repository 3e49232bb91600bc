// One matrix of a file in the safetensors format (core/files/safetensors.h), read without a tensor library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heed::vectors {

struct StoredMatrix {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<float> values;  ///< row by row
};

/// The matrix of this name, which must be of float32. Throws FileError, CheckpointError when the file is no undamaged
/// safetensors file, Error when it has no such matrix or one with numbers that are not finite.
StoredMatrix read_stored_matrix(const std::string& path, const std::string& name);
/// Whether the file has a tensor of this name. Throws likewise.
bool has_stored_tensor(const std::string& path, const std::string& name);

}  // namespace heed::vectors
