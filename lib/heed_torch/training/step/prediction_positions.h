// What a batch asks a model to predict, and the matrices of a batch as tensors.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/data/corpus/micro_batch.h"

namespace heed::training {

using at::Tensor;

/// Shares the memory of the matrix, which must outlive the tensor: int64 or float [rows, columns].
Tensor to_tensor(const data::IdMatrix& matrix);
Tensor to_tensor(const data::NumberTargets& targets);
/// float [S, rows, columns, width]; undefined without vectors.
Tensor to_tensor(const data::VectorBlock& vectors);

/// The ids to predict, and where.
struct Predicted {
  std::vector<int64_t> places;  ///< in hidden states [passes, rows, T], row-major. T is the number of the target's
                                ///< columns, for tokens minus one
  std::vector<int64_t> ids;     ///< of the first pass: the next token, or the label
  std::vector<float> weights;   ///< of the first pass: the weight of the row; empty if the batch has no weights
};
/// weights: of the rows; empty: there are none.
Predicted predicted_places(const data::TokenTargets& targets, const std::vector<float>& weights, int64_t passes);
Predicted predicted_places(const data::LabelTargets& targets, const std::vector<float>& weights, int64_t passes);

}  // namespace heed::training
