// Quantized weights of CTranslate2 (ctranslate2/specs/model_spec.py): a matrix of integers with a scale, weight =
// number / scale. In int8 each row has a scale, in int16 the whole matrix has one.
#pragma once

#include <string>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::interchange {

/// Converts each `X` of int8 or int16 that has an `X_scale` to float32, and removes the scale. path: of the file, for
/// errors. Throws CheckpointError if a scale does not fit or is not above 0.
void dequantize(checkpoint::NamedTensors& tensors, const std::string& path);

}  // namespace heed::interchange
