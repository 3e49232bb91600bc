// The input of a model: S sources of tokens, vectors or both; and the input of its encoder.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/core/files/vector_layout.h"

namespace heed::models {

using at::Tensor;

/// Sequences (one row) or grids of vectors, padded at their ends.
struct VectorGrid {
  Tensor values = {};                  ///< float [S, rows, columns, width], zeros where padded; undefined: no vectors
  std::vector<GridShape> shapes = {};  ///< of each source, without padding
};

struct Source {
  /// Converts from text only. tokens: int64 [S, tokens], each row: ids, eos, padding (0).
  Source(Tensor text) : tokens(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  Source(Tensor text, VectorGrid grid) : tokens(std::move(text)), vectors(std::move(grid)) {}

  Tensor tokens;            ///< undefined: vectors only
  VectorGrid vectors = {};  ///< follow the tokens; undefined: text only

  int64_t size() const { return tokens.defined() ? tokens.size(0) : vectors.values.size(0); }
};

/// The input of an encoder. Padding follows the real positions and never changes their states.
struct SourceStates {
  Tensor states;  ///< float [S, source, d_model]
  Tensor real;    ///< bool [S, source]
  Tensor tokens;  ///< int64 [S, source]: ids; 1 (the id of unknown words) for a vector; 0 at padding
};

}  // namespace heed::models
