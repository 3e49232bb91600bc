#include "heed/data/corpus/source_vectors.h"

#include <algorithm>

namespace heed::data {
namespace {

/// Copies an item [rows, columns, width] to the start of its padded grid in the block.
void place_rows(std::span<const float> item, const GridShape& shape, const VectorBlock& block, float* place) {
  const int64_t row = shape.columns * block.width, padded = block.columns * block.width;
  for (int64_t i = 0; i < shape.rows; ++i) std::copy_n(item.data() + i * row, row, place + i * padded);
}

}  // namespace

VectorBlock read_block(const VectorFile& file, std::span<const int64_t> items) {
  VectorBlock block{.rows = 0, .columns = 0, .width = file.width()};
  for (const int64_t item : items) {
    block.shapes.push_back(file.shape(item));
    block.rows = std::max(block.rows, block.shapes.back().rows);
    block.columns = std::max(block.columns, block.shapes.back().columns);
  }
  const int64_t size = block.rows * block.columns * block.width;
  block.values.assign(items.size() * static_cast<size_t>(size), 0);
  std::vector<float> read;
  for (size_t i = 0; i < items.size(); ++i) {
    const GridShape& shape = block.shapes[i];
    read.resize(static_cast<size_t>(shape.vectors() * block.width));
    file.read(items[i], read);
    place_rows(read, shape, block, block.values.data() + static_cast<int64_t>(i) * size);
  }
  return block;
}

}  // namespace heed::data
