// The vectors of a run's sources: what the model's options take from their files, and what the model takes from their
// numbers.
#pragma once

#include <memory>

#include "heed/data/corpus/source_vectors.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/models/model.h"

namespace heed::config {

/// Gives options of vectors that are absent the values of the training file. Throws what VectorFile does, and
/// ConfigError where they have other values than the file.
void adopt_vector_form(RunOptions& options);

/// Throws Error where a grid is larger than the model has positions for.
void require_positions(const GridShape& shape, const models::VectorOptions& options);

/// The vectors in `path` as the model reads them; null for "". Throws what VectorFile does, InputError where they are
/// not of the model's form, or an item is larger than it has positions for.
std::shared_ptr<const data::SourceVectors> open_vectors(const std::string& path, const models::VectorOptions& options);

/// Gives what standardizes vectors their mean and standard deviation.
void measure_vectors(models::Model& model, const data::SourceVectors& vectors);

}  // namespace heed::config
