// Quantized weights of CTranslate2 (ctranslate2/specs/model_spec.py): a matrix of whole numbers beside its scale,
// weight = number / scale. In int8 each row has a scale, in int16 the whole matrix.
#pragma once

#include <string>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::interchange {

/// Each `X` of int8 or int16 beside `X_scale` becomes float32, and the scale goes. path: of the file, for errors.
/// Throws CheckpointError where a scale does not fit or is not above 0.
void dequantize(checkpoint::NamedTensors& tensors, const std::string& path);

}  // namespace heed::interchange
