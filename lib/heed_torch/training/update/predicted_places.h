// What a batch asks a model to predict, and the matrices of a batch as tensors.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/data/corpus/batch.h"

namespace heed::training {

using at::Tensor;

/// In the memory of the numbers themselves, which must outlive it: int64 or float [rows, columns].
Tensor to_tensor(const data::IdMatrix& matrix);
Tensor to_tensor(const data::NumberMatrix& matrix);
/// float [S, rows, columns, width]; undefined where there are none.
Tensor to_tensor(const data::VectorBlock& vectors);

/// The ids that are predicted, and where. Numbers have none.
struct Predicted {
  std::vector<int64_t> places;  ///< in hidden states [passes, rows, T], row-major: of a decoder T is the target's
                                ///< columns but one, of labels the source's columns, of a class 1
  std::vector<int64_t> ids;     ///< of the first pass: the token that follows, or the label
  std::vector<float> weights;   ///< of the first pass: the row's; empty where the batch has none
};
Predicted predicted_places(const data::Batch& batch, int64_t passes);

}  // namespace heed::training
