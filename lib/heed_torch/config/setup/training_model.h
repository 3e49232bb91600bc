// The model of a training before its first step, and the model that fine-tuning starts from.
#pragma once

#include <memory>
#include <optional>

#include "heed_torch/config/model_directory.h"
#include "heed_torch/config/run_options.h"
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

/// Opens the model whose weights the options ask for; absent if they ask for none. Throws what open_model throws.
std::optional<OpenedModel> open_base(const RunOptions& options);

/// Copies the weights of `base` into `model`, which has the same architecture. If a vocabulary is different, entries
/// that both have keep their rows in every table. Entries are equal by their text, special ones by their ids. All other
/// rows keep the values that `model` has; the log reports how many. Throws Error if a vocabulary shares no entry with
/// the base's. Throws ConfigError if a table with new rows would not be trained.
void take_weights(models::Model& model, const text::Tokenizers& tokenizers, const OpenedModel& base);

}  // namespace heed::config
