// What a model reads: S inputs, each of tokens, of vectors, or of both; and what an encoder reads of it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/core/files/vector_layout.h"

namespace heed::models {

using at::Tensor;

/// Sequences (of one row) or grids of vectors, padded at their ends.
struct VectorGrid {
  Tensor values = {};                  ///< float [S, rows, columns, width], zeros where padded; undefined: none
  std::vector<GridShape> shapes = {};  ///< of each, without padding
};

struct Source {
  /// Text alone is a source, so that tokens stand for it. tokens: int64 [S, tokens], each row: ids, eos, padding (0).
  Source(Tensor text) : tokens(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  Source(Tensor text, VectorGrid grid) : tokens(std::move(text)), vectors(std::move(grid)) {}

  Tensor tokens;            ///< undefined: vectors alone
  VectorGrid vectors = {};  ///< behind the tokens; undefined: text alone

  int64_t size() const { return tokens.defined() ? tokens.size(0) : vectors.values.size(0); }
};

/// What an encoder reads. Padding stands behind what is real, and never changes a real position's state.
struct SourceStates {
  Tensor states;  ///< float [S, source, d_model]
  Tensor real;    ///< bool [S, source]
  Tensor tokens;  ///< int64 [S, source]: ids; 1, the id of unknown words, for a vector; 0 where padded
};

}  // namespace heed::models
