// Reads a file in the safetensors format (https://huggingface.co/docs/safetensors). The file has 8 bytes with
// the length of the header, the header in JSON, then the bytes of the tensors. One matrix of it can be read without a
// tensor library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace heed {

/// A tensor as described in the header.
struct StoredTensor {
  std::string name;
  std::string dtype;  ///< one of F64, F32, F16, BF16, I64, I32, U8, BOOL
  std::vector<int64_t> shape;
  uint64_t begin = 0;  ///< its bytes are [begin, end) of the file
  uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<StoredTensor> tensors;  ///< in the order of their bytes in the file
  std::map<std::string, std::string> metadata;
};

/// Parses the header of a file. Checks that dtypes, shapes and offsets agree and that the tensors fill the file without
/// gap or overlap. Throws CheckpointError with `path` and the problem.
SafetensorsHeader parse_safetensors_header(std::span<const std::byte> bytes, const std::string& path);

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

}  // namespace heed
