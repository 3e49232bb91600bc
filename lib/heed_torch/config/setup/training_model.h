// The model of a training before its first update.
#pragma once

#include <memory>

#include "heed_torch/config/setup/training_run.h"

namespace heed::config {

/// Vocabularies of special tokens only, for what does not depend on their size.
models::VocabularySizes smallest_vocabularies(const RunOptions& options);

/// Throws ConfigError if the options of the network do not fit each other or the kinds of sources. Throws
/// CheckpointError if the network is far larger than the checkpoints to resume or the model that training starts from.
void validate_size(const RunOptions& options);

/// Throws ConfigError if the options name parameters to train or freeze that the model does not have.
void validate_trained(const RunOptions& options);

/// Builds the model on the run's device. Its initial values are random, measured in the corpus (idf, statistics of
/// numbers and vectors), read from word vectors, or copied from the model that training starts from. Freezes parameters
/// and adds adapters as the options say. On all ranks except rank 0 the copied values are missing until rank 0 sends
/// all values.
std::shared_ptr<models::Model> make_training_model(const PreparedRun& run, const RunOptions& options);

}  // namespace heed::config
