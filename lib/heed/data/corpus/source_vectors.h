// The vectors of a corpus's sources.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "heed/core/files/vector_file.h"
#include "heed/data/corpus/batch.h"

namespace heed::data {

/// What a model leaves of an item's vectors: how many an encoder reads.
using ShapeLeft = std::function<GridShape(const GridShape& shape)>;

class SourceVectors {
 public:
  /// Throws what VectorFile does.
  SourceVectors(const std::string& path, ShapeLeft left) : file_(path), left_(std::move(left)) {}

  const VectorFile& file() const { return file_; }
  /// How many vectors an encoder reads of an item.
  int64_t length(int64_t item) const { return left_(file_.shape(item)).vectors(); }

 private:
  VectorFile file_;
  ShapeLeft left_;
};

/// These items of a file, padded to the largest.
VectorBlock read_block(const VectorFile& file, std::span<const int64_t> items);

}  // namespace heed::data
