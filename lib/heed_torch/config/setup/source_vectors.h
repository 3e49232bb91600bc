// The vectors of a run's sources: sets the model's options from their files, and its statistics from their values.
#pragma once

#include <memory>

#include "heed/data/corpus/source_vectors.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/models/model.h"

namespace heed::config {

/// Sets options of vectors that are absent to the values of the training file. Throws what VectorFile throws, and
/// ConfigError if given options contradict the file.
void adopt_vector_form(RunOptions& options);

/// Throws Error if a grid is larger than the model's positions allow.
void require_positions(const GridShape& shape, const models::VectorOptions& options);

/// Opens the vectors in `path` as the model reads them; null for "". Throws what VectorFile throws. Throws InputError
/// if they do not have the model's form, or if an item is larger than its positions allow.
std::shared_ptr<const data::SourceVectors> open_vectors(const std::string& path, const models::VectorOptions& options);

/// Measures the mean and standard deviation of the vectors, with which the model standardizes them.
void measure_vectors(models::Model& model, const data::SourceVectors& vectors);

}  // namespace heed::config
