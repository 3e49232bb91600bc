// What the ranks behind rank 0 do while it prepares a training, and after.
#pragma once

#include "heed_torch/config/setup/training_run.h"

namespace heed::config {

/// Helps rank 0 to encode the text, where it has to be encoded.
void help_rank_0(PreparedRun& run, const RunOptions& options);
/// Opens what rank 0 has prepared. Throws Error where this rank does not see it.
void follow_rank_0(PreparedRun& run, const RunOptions& options);

}  // namespace heed::config
