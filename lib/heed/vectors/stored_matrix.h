// One matrix of a file in the safetensors format, read without a tensor library: eight bytes that say how long the header
// is, the header in JSON, the numbers.
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

/// The matrix of this name, which must be of float32. Throws FileError, and Error when the file has no such matrix or is
/// no undamaged safetensors file.
StoredMatrix read_stored_matrix(const std::string& path, const std::string& name);
/// Whether the file has a tensor of this name. Throws likewise.
bool has_stored_tensor(const std::string& path, const std::string& name);

}  // namespace heed::vectors
