// What a start of a training may find in its model directory. There must be no finished model of another training. If a
// training began there, its text and the options that must not change (resume_rules.h) have to be the same.
#pragma once

#include <map>
#include <string>

#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Checksums of a run's text, by their names in the manifest.
using Checksums = std::map<std::string, std::string>;
/// Those of the training text.
Checksums training_text(Checksums sums);
/// Those of the validation text.
Checksums validation_text(Checksums sums);

/// Throws ConfigError if a training began there with another model or other options that must not change, or has made
/// more steps than the options allow. Throws CheckpointError if its config.toml was edited since.
void refuse_other_start(const checkpoint::RunDirectory& directory, const RunOptions& options);
/// Throws Error if a training began there with other text, or if its text is unknown. sums: of the text that the
/// options name. The validation text may change, unless training pairs that occur in it are left out. It cannot be
/// removed.
void refuse_other_text(const checkpoint::RunDirectory& directory, const Checksums& sums, const RunOptions& options);
/// Throws ConfigError if there is a finished model: a new training would replace it.
void refuse_to_replace_model(const checkpoint::RunDirectory& directory);

/// Whether an earlier start that trained nothing yet has learned the tokenizers that this one needs.
bool has_fitting_tokenizers(const checkpoint::RunDirectory& directory, const RunOptions& options,
                            const Checksums& sums);

}  // namespace heed::config
