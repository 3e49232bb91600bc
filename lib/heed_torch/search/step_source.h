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

/// A batch of sources, on the CPU.
struct StepSource {
  /// Converts from text only.
  StepSource(Tensor text) : tokens(std::move(text)) {}  // NOLINT(google-explicit-constructor)

  Tensor tokens;                       ///< int64 [S, source]: ids, eos, padding 0; undefined: vectors only
  Tensor vectors = {};                 ///< float [S, rows, columns, width], zeros where padded; undefined: text only
  std::vector<GridShape> shapes = {};  ///< shape of each source's vectors, without padding

  int64_t sentences() const { return tokens.defined() ? tokens.size(0) : vectors.size(0); }
};

/// A padded source matrix: int64 [sentences, longest + 1], each row ids, eos, padding.
Tensor source_matrix(std::span<const SourceSentence> sources);
/// The sources' text, vectors or both; all sources must have the same of these.
StepSource step_source(std::span<const SourceSentence> sources);

}  // namespace heed::search
