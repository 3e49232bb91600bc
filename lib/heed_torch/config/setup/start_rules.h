// What a start of a training may find in its model directory: no finished model of another training, and of one that
// began there the same options, where they must stay (run_changes.h), and the same text.
#pragma once

#include <map>
#include <string>

#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Of a run's text, by the names that its manifest has for them.
using Checksums = std::map<std::string, std::string>;
/// Those of the text to train on.
Checksums training_text(Checksums sums);
/// Those of the text to validate on.
Checksums validation_text(Checksums sums);

/// Throws ConfigError where a training has begun there with other options that must stay, or made more updates than
/// these allow; CheckpointError where its options were edited since.
void refuse_other_start(const checkpoint::RunDirectory& directory, const RunOptions& options);
/// Throws Error where a training has begun there with other text, or it is not known with which. Other validation text
/// can take the first one's place, unless training pairs that are in it are left out. It cannot be left away.
void refuse_other_text(const checkpoint::RunDirectory& directory, const Checksums& sums,
                       const data::PairFilters& filters);
/// Throws ConfigError where there is a finished model: a training that begins anew would put its model in its place.
void refuse_to_replace_model(const checkpoint::RunDirectory& directory);

/// Whether an earlier start, which trained nothing yet, learned the tokenizers that this one needs.
bool has_fitting_tokenizers(const checkpoint::RunDirectory& directory, const RunOptions& options,
                            const Checksums& sums);

}  // namespace heed::config
