// Opens the model that fine-tuning starts from and copies its weights into the new model.
#pragma once

#include <optional>

#include "heed_torch/config/model_directory.h"
#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Opens the model whose weights the options ask for; absent if they ask for none. Throws what open_model throws.
std::optional<OpenedModel> open_base(const RunOptions& options);

/// Copies the weights of `base` into `model`, which has the same architecture. If a vocabulary is different, entries
/// that both have keep their rows in every table. Entries are equal by their text, special ones by their ids. All other
/// rows keep the values that `model` has; the log reports how many. Throws Error if a vocabulary shares no entry with
/// the base's. Throws ConfigError if a table with new rows would not be trained.
void take_weights(models::Model& model, const text::Tokenizers& tokenizers, const OpenedModel& base);

}  // namespace heed::config
