// The model of a training before its first update.
#pragma once

#include <memory>

#include "heed_torch/config/setup/training_run.h"

namespace heed::config {

/// The model with vocabularies of special tokens only, for what does not depend on their size. Throws CheckpointError,
/// before the model takes its memory, if it is far larger than the checkpoints that are resumed or than the model to
/// begin with (heed_torch/checkpoint/tensor_budget.h).
std::shared_ptr<models::Model> model_without_vocabulary(const RunOptions& options);

/// Throws ConfigError where options of what is trained name parts that the model does not have.
void validate_trained(const RunOptions& options);

/// Builds the model on the run's device: its first values drawn, measured in the corpus (idf, statistics of numbers and
/// vectors), read from word vectors or taken from the model to begin with; what is not trained frozen, what is adapted
/// adapted. On ranks but the first the values of a model to begin with are missing, until they get all values from it.
std::shared_ptr<models::Model> make_training_model(const PreparedRun& run, const RunOptions& options);

}  // namespace heed::config
