// The teachers of a training (train.teacher): trained models from whose distributions it learns.
#pragma once

#include <memory>
#include <vector>

#include "heed_torch/config/run_options.h"
#include "heed_torch/config/setup/training_run.h"
#include "heed_torch/models/model.h"

namespace heed::config {

/// Looks for the teachers without reading their parameters. Throws ConfigError if one is the model that is trained.
/// Throws what find_model throws.
void find_teachers(const RunOptions& options);

/// Throws ConfigError if a teacher has another task, reads another kind of source, has another vocabulary, or cannot
/// read the longest sentences of the training text. Throws what find_model throws.
void require_fitting_teachers(const PreparedRun& run, const RunOptions& options);

/// Opens the teachers on the run's device. Throws what require_fitting_teachers and open_model throw.
std::vector<std::shared_ptr<models::Model>> open_teachers(const PreparedRun& run, const RunOptions& options);

}  // namespace heed::config
