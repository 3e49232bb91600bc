// Sources as tensors, for models that search by tensors.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/core/files/vector_layout.h"
#include "heed/search/beam_model.h"

namespace heed::search {

using at::Tensor;

/// On the CPU.
struct StepSource {
  /// Text alone is a source.
  StepSource(Tensor text) : tokens(std::move(text)) {}  // NOLINT(google-explicit-constructor)

  Tensor tokens;                       ///< int64 [S, source]: ids, eos, padding 0; undefined: vectors alone
  Tensor vectors = {};                 ///< float [S, rows, columns, width], zeros where padded; undefined: text alone
  std::vector<GridShape> shapes = {};  ///< of each one's vectors, without padding

  int64_t sentences() const { return tokens.defined() ? tokens.size(0) : vectors.size(0); }
};

/// A padded source matrix: int64 [sentences, longest + 1], each row ids, eos, padding.
Tensor source_matrix(std::span<const SourceSentence> sources);
/// Their text, their vectors or both: all sources have the same.
StepSource step_source(std::span<const SourceSentence> sources);

}  // namespace heed::search
