#include "heed_torch/training/step/prediction_positions.h"

#include <utility>

#include <ATen/ATen.h>

#include "heed/text/tokenizer.h"

namespace heed::training {
namespace {

/// Adds the weights of the first pass, then the places of the other passes. positions: hidden states per row.
Predicted with_passes(Predicted predicted, int64_t rows, int64_t positions, const std::vector<float>& weights,
                      int64_t passes) {
  for (const int64_t place : predicted.places) {
    if (weights.empty()) break;
    predicted.weights.push_back(weights[static_cast<size_t>(place / positions)]);
  }
  for (int64_t pass = 1; pass < passes; ++pass) {
    for (size_t i = 0; i < predicted.ids.size(); ++i) {
      predicted.places.push_back(predicted.places[i] + pass * rows * positions);
    }
  }
  return predicted;
}

}  // namespace

Tensor to_tensor(const data::IdMatrix& matrix) {
  // from_blob wants a pointer to non-const; nothing writes through this tensor.
  auto* ids = const_cast<int64_t*>(matrix.ids.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return at::from_blob(ids, {matrix.rows, matrix.columns}, at::kLong);
}

Tensor to_tensor(const data::NumberTargets& targets) {
  auto* numbers = const_cast<float*>(targets.numbers.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return at::from_blob(numbers, {targets.rows, targets.columns}, at::kFloat);
}

Tensor to_tensor(const data::VectorBlock& vectors) {
  if (vectors.shapes.empty()) return {};
  auto* values = const_cast<float*>(vectors.values.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  const auto sources = static_cast<int64_t>(vectors.shapes.size());
  return at::from_blob(values, {sources, vectors.rows, vectors.columns, vectors.width}, at::kFloat);
}

Predicted predicted_places(const data::TokenTargets& targets, const std::vector<float>& weights, int64_t passes) {
  const data::IdMatrix& target = targets.ids;
  const int64_t positions = target.columns - 1;
  Predicted predicted;
  for (int64_t row = 0; row < target.rows; ++row) {
    for (int64_t position = 0; position < positions; ++position) {
      const int64_t id = target.ids[static_cast<size_t>(row * target.columns + position + 1)];
      if (id == text::kPad) break;
      if (id == text::kBos) continue;  // bos of the next line of a continuous text cannot be predicted
      predicted.places.push_back(row * positions + position);
      predicted.ids.push_back(id);
    }
  }
  return with_passes(std::move(predicted), target.rows, positions, weights, passes);
}

Predicted predicted_places(const data::LabelTargets& targets, const std::vector<float>& weights, int64_t passes) {
  const data::IdMatrix& labels = targets.labels;
  Predicted predicted;
  for (int64_t place = 0; place < labels.rows * labels.columns; ++place) {
    const int64_t id = labels.ids[static_cast<size_t>(place)];
    if (id == text::kNoLabel) continue;
    predicted.places.push_back(place);
    predicted.ids.push_back(id);
  }
  return with_passes(std::move(predicted), labels.rows, labels.columns, weights, passes);
}

}  // namespace heed::training
