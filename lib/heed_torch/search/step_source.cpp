#include "heed_torch/search/step_source.h"

#include <algorithm>

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

/// Adds the sentences' vectors, padded to the largest grid.
void add_vectors(StepSource& source, std::span<const SourceSentence> sentences) {
  int64_t rows = 0, columns = 0;
  for (const SourceSentence& sentence : sentences) {
    source.shapes.push_back(sentence.item->shape);
    rows = std::max(rows, source.shapes.back().rows);
    columns = std::max(columns, source.shapes.back().columns);
  }
  const SourceItem& first = *sentences[0].item;
  const int64_t width = std::ssize(first.values) / first.shape.vectors();
  source.vectors = at::zeros({std::ssize(sentences), rows, columns, width}, at::kFloat);
  auto* place = source.vectors.mutable_data_ptr<float>();
  for (const SourceSentence& sentence : sentences) {
    const SourceItem& item = *sentence.item;
    for (int64_t row = 0; row < item.shape.rows; ++row) {
      const int64_t numbers = item.shape.columns * width;
      std::copy_n(item.values.data() + row * numbers, numbers, place + row * columns * width);
    }
    place += rows * columns * width;
  }
}

}  // namespace

Tensor source_matrix(std::span<const SourceSentence> sources) {
  size_t longest = 0;
  for (const SourceSentence& source : sources) longest = std::max(longest, source.ids.size());
  const auto columns = static_cast<int64_t>(longest) + 1;
  Tensor matrix = at::full({static_cast<int64_t>(sources.size()), columns}, text::kPad, at::kLong);
  auto* row = matrix.mutable_data_ptr<int64_t>();
  for (const SourceSentence& source : sources) {
    *std::ranges::copy(source.ids, row).out = text::kEos;
    row += columns;
  }
  return matrix;
}

StepSource step_source(std::span<const SourceSentence> sources) {
  const SourceItem* item = sources.empty() ? nullptr : sources[0].item;
  StepSource source(item && !item->has_text ? Tensor() : source_matrix(sources));
  if (item) add_vectors(source, sources);
  return source;
}

}  // namespace heed::search
