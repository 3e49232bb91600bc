// Reads one matrix of a safetensors file (core/files/safetensors.h) without a tensor library.
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

/// Reads the matrix with this name, which must be float32. Throws FileError; CheckpointError if the file is damaged or
/// not in safetensors format; Error if the matrix is missing or has numbers that are not finite.
StoredMatrix read_stored_matrix(const std::string& path, const std::string& name);
/// Whether the file has a tensor with this name. Throws FileError and CheckpointError likewise.
bool has_stored_tensor(const std::string& path, const std::string& name);

}  // namespace heed::vectors
