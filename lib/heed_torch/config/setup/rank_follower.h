// What all ranks except rank 0 do while it prepares a training, and afterwards.
#pragma once

#include "heed_torch/config/setup/training_run.h"

namespace heed::config {

/// Helps rank 0 to encode the text, if it has to be encoded.
void help_rank_0(PreparedRun& run, const RunOptions& options);
/// Opens what rank 0 has prepared. Throws Error if this rank does not see it.
void follow_rank_0(PreparedRun& run, const RunOptions& options);

}  // namespace heed::config
