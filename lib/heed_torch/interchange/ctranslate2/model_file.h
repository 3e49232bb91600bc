// model.bin of CTranslate2, binary version 6 (ctranslate2/specs/model_spec.py of its Python package), little-endian:
//   u32 version · name of the specification · u32 its revision
//   u32 variables, each: name · u8 dimensions · u32 sizes · u8 dtype · u32 bytes · the numbers
//   u32 aliases, each: alias · name of a variable
// A name is a u16 with its number of bytes, including a final zero, and then these bytes.
#pragma once

#include <cstdint>
#include <string>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::interchange {

struct ModelFile {
  std::string specification;  ///< "TransformerSpec"
  uint32_t revision = 0;      ///< of the specification
  /// float32, int8, int16, int32, float16 or bfloat16. Those without dimensions are attributes. Aliases are tensors
  /// like any other; an alias of a quantized tensor (`X`, `X_scale`) has its scale too.
  checkpoint::NamedTensors tensors;
};

/// Throws FileError; CheckpointError if the file is not a model.bin or is damaged.
ModelFile read_model_file(const std::string& path);

/// Writes the same bytes as CTranslate2's own converters: ordered by name; a tensor that repeats an earlier one is its
/// alias. Throws FileError, CheckpointError for another dtype.
void write_model_file(const std::string& path, const ModelFile& file);

}  // namespace heed::interchange
