// Sources of a search as tensors, the input of a network.
#pragma once

#include <span>

#include <ATen/core/Tensor.h>

#include "heed/search/beam_model.h"
#include "heed_torch/models/sources/source.h"

namespace heed::translation {

/// A padded source matrix: int64 [sentences, longest + 1] on the CPU, each row ids, eos, padding.
at::Tensor source_matrix(std::span<const search::SourceSentence> sources);
/// The sources' text, vectors or both, on the CPU; all sources must have the same of these.
models::Source source_tensors(std::span<const search::SourceSentence> sources);

}  // namespace heed::translation
