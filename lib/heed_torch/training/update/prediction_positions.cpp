#include "heed_torch/training/update/prediction_positions.h"

#include <ATen/ATen.h>

#include "heed/text/tokenizer.h"

namespace heed::training {
namespace {

/// Adds the tokens after bos of each row.
void add_tokens(Predicted& predicted, const data::IdMatrix& target) {
  const int64_t positions = target.columns - 1;
  for (int64_t row = 0; row < target.rows; ++row) {
    for (int64_t position = 0; position < positions; ++position) {
      const int64_t id = target.ids[static_cast<size_t>(row * target.columns + position + 1)];
      if (id == text::kPad) break;
      if (id == text::kBos) continue;  // bos of the next line of a continuous text cannot be predicted
      predicted.places.push_back(row * positions + position);
      predicted.ids.push_back(id);
    }
  }
}

/// positions: hidden states per row.
void add_labels(Predicted& predicted, const data::IdMatrix& target, int64_t positions) {
  for (int64_t row = 0; row < target.rows; ++row) {
    for (int64_t column = 0; column < target.columns; ++column) {
      const int64_t id = target.ids[static_cast<size_t>(row * target.columns + column)];
      if (id == data::kNoLabel) continue;
      predicted.places.push_back(row * positions + column);
      predicted.ids.push_back(id);
    }
  }
}

/// Hidden states per row.
int64_t positions_of(const data::Batch& batch) {
  switch (batch.target_kind) {
    case text::TargetKind::Text:
      return batch.target.columns - 1;
    case text::TargetKind::WordLabels:
      return batch.source.columns;
    case text::TargetKind::Class:
    case text::TargetKind::Numbers:
      break;
  }
  return 1;
}

}  // namespace

Tensor to_tensor(const data::IdMatrix& matrix) {
  // from_blob wants a pointer to non-const; nothing writes through this tensor.
  auto* ids = const_cast<int64_t*>(matrix.ids.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return at::from_blob(ids, {matrix.rows, matrix.columns}, at::kLong);
}

Tensor to_tensor(const data::NumberMatrix& matrix) {
  auto* numbers = const_cast<float*>(matrix.numbers.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return at::from_blob(numbers, {matrix.rows, matrix.columns}, at::kFloat);
}

Tensor to_tensor(const data::VectorBlock& vectors) {
  if (vectors.shapes.empty()) return {};
  auto* values = const_cast<float*>(vectors.values.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  const auto sources = static_cast<int64_t>(vectors.shapes.size());
  return at::from_blob(values, {sources, vectors.rows, vectors.columns, vectors.width}, at::kFloat);
}

Predicted predicted_places(const data::Batch& batch, int64_t passes) {
  Predicted predicted;
  const int64_t positions = positions_of(batch);
  if (batch.target_kind == text::TargetKind::Text) {
    add_tokens(predicted, batch.target);
  } else {
    add_labels(predicted, batch.target, positions);
  }
  for (const int64_t place : predicted.places) {
    if (batch.weights.empty()) break;
    predicted.weights.push_back(batch.weights[static_cast<size_t>(place / positions)]);
  }
  for (int64_t pass = 1; pass < passes; ++pass) {
    for (size_t i = 0; i < predicted.ids.size(); ++i) {
      predicted.places.push_back(predicted.places[i] + pass * batch.target.rows * positions);
    }
  }
  return predicted;
}

}  // namespace heed::training
