#include "heed_torch/translation/lines/source_tensors.h"

#include <algorithm>
#include <cstdint>

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "heed/text/tokenizer.h"

namespace heed::translation {
namespace {

using at::Tensor;

/// The sentences' vectors, padded to the largest grid.
models::VectorGrid vectors_of(std::span<const search::SourceSentence> sentences) {
  models::VectorGrid grid;
  int64_t rows = 0, columns = 0;
  for (const search::SourceSentence& sentence : sentences) {
    grid.shapes.push_back(sentence.item->shape);
    rows = std::max(rows, grid.shapes.back().rows);
    columns = std::max(columns, grid.shapes.back().columns);
  }
  const search::SourceItem& first = *sentences[0].item;
  const int64_t width = std::ssize(first.values) / first.shape.vectors();
  grid.values = at::zeros({std::ssize(sentences), rows, columns, width}, at::kFloat);
  auto* place = grid.values.mutable_data_ptr<float>();
  for (const search::SourceSentence& sentence : sentences) {
    const search::SourceItem& item = *sentence.item;
    for (int64_t row = 0; row < item.shape.rows; ++row) {
      const int64_t numbers = item.shape.columns * width;
      std::copy_n(item.values.data() + row * numbers, numbers, place + row * columns * width);
    }
    place += rows * columns * width;
  }
  return grid;
}

}  // namespace

Tensor source_matrix(std::span<const search::SourceSentence> sources) {
  size_t longest = 0;
  for (const search::SourceSentence& source : sources) longest = std::max(longest, source.ids.size());
  const auto columns = static_cast<int64_t>(longest) + 1;
  Tensor matrix = at::full({static_cast<int64_t>(sources.size()), columns}, text::kPad, at::kLong);
  auto* row = matrix.mutable_data_ptr<int64_t>();
  for (const search::SourceSentence& source : sources) {
    *std::ranges::copy(source.ids, row).out = text::kEos;
    row += columns;
  }
  return matrix;
}

models::Source source_tensors(std::span<const search::SourceSentence> sources) {
  const search::SourceItem* item = sources.empty() ? nullptr : sources[0].item;
  return {item && !item->has_text ? Tensor() : source_matrix(sources),
          item ? vectors_of(sources) : models::VectorGrid()};
}

}  // namespace heed::translation
