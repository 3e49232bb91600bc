// The header of a file of the safetensors format (https://huggingface.co/docs/safetensors): 8 bytes with the length of
// a JSON header, the header, the tensors' bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace heed {

/// One tensor as the header describes it.
struct StoredTensor {
  std::string name;
  std::string dtype;  ///< one of F64, F32, F16, BF16, I64, I32, U8, BOOL
  std::vector<int64_t> shape;
  uint64_t begin = 0;  ///< its bytes are [begin, end) of the file
  uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<StoredTensor> tensors;  ///< in the order of their bytes
  std::map<std::string, std::string> metadata;
};

/// Reads the header of a file's bytes. Throws CheckpointError, naming `path` and what is wrong, unless dtypes, shapes
/// and places agree and the tensors fill the file without gap or overlap.
SafetensorsHeader parse_safetensors_header(std::span<const std::byte> bytes, const std::string& path);

}  // namespace heed
