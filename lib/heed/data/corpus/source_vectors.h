// The vectors of the sources of a corpus.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "heed/core/files/vector_file.h"
#include "heed/data/corpus/micro_batch.h"

namespace heed::data {

/// Gives the shape of an item as the encoder reads it, after the model has reduced it (models::shape_left).
using ReducedShape = std::function<GridShape(const GridShape& shape)>;

class SourceVectors {
 public:
  /// Throws what VectorFile does.
  SourceVectors(const std::string& path, ReducedShape left) : file_(path), left_(std::move(left)) {}

  const VectorFile& file() const { return file_; }
  /// How many vectors of an item the encoder reads.
  int64_t length(int64_t item) const { return left_(file_.shape(item)).vectors(); }

 private:
  VectorFile file_;
  ReducedShape left_;
};

/// These items of a file, padded to the largest of them.
VectorBlock read_block(const VectorFile& file, std::span<const int64_t> items);

}  // namespace heed::data
