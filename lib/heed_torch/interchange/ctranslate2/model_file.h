// model.bin of CTranslate2, binary version 6 (ctranslate2/specs/model_spec.py of its Python package): little-endian
//   u32 version · name of the specification · u32 its revision
//   u32 variables, each: name · u8 dimensions · u32 sizes · u8 dtype · u32 bytes · the numbers
//   u32 aliases, each: alias · name of a variable
// where a name is a u16 with its bytes, a closing zero counted, and these.
#pragma once

#include <cstdint>
#include <string>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::interchange {

struct ModelFile {
  std::string specification;  ///< "TransformerSpec"
  uint32_t revision = 0;      ///< of the specification
  /// float32, int8, int16, int32, float16 or bfloat16; those without dimensions are attributes. Aliases are tensors as
  /// others; those of quantized ones (`X`, `X_scale`) have the scales, too.
  checkpoint::NamedTensors tensors;
};

/// Throws FileError; CheckpointError where the file is no such file, or damaged.
ModelFile read_model_file(const std::string& path);

/// As CTranslate2's own converters write it, byte for byte: names in order, a tensor that repeats an earlier one as its
/// alias. Throws FileError, CheckpointError for another dtype.
void write_model_file(const std::string& path, const ModelFile& file);

}  // namespace heed::interchange
