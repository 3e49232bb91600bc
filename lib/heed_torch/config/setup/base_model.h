// The model that a fine-tuning begins with, and how its weights come into the new one.
#pragma once

#include <optional>

#include "heed_torch/config/model_directory.h"
#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Opens the model whose weights the options ask for; absent where they ask for none. Throws what open_model throws.
std::optional<OpenedModel> open_base(const RunOptions& options);

/// Copies the weights of `base` into `model`, which has the same architecture. Of a vocabulary that is another one,
/// entries of both (by their text; special ones by their ids) keep their rows in every table, and the others keep the
/// values that `model` has; the log says how many. Throws Error where a vocabulary shares no entry with the base's, and
/// ConfigError where a table with new rows would not be trained.
void take_weights(models::Model& model, const text::Tokenizers& tokenizers, const OpenedModel& base);

}  // namespace heed::config
