// What a batch asks a model to predict, and the matrices of a batch as tensors.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/data/corpus/batch.h"

namespace heed::training {

using at::Tensor;

/// Shares the memory of `matrix`, which must outlive the tensor: int64 or float [rows, columns].
Tensor to_tensor(const data::IdMatrix& matrix);
Tensor to_tensor(const data::NumberMatrix& matrix);
/// float [S, rows, columns, width]; undefined without vectors.
Tensor to_tensor(const data::VectorBlock& vectors);

/// The ids to predict, and where. Targets that are numbers have none.
struct Predicted {
  std::vector<int64_t> places;  ///< in hidden states [passes, rows, T], row-major. For a decoder T is the target's
                                ///< columns minus one, for word labels the source's columns, for a class 1
  std::vector<int64_t> ids;     ///< of the first pass: the next token, or the label
  std::vector<float> weights;   ///< of the first pass: the weight of the row; empty if the batch has no weights
};
Predicted predicted_places(const data::Batch& batch, int64_t passes);

}  // namespace heed::training
