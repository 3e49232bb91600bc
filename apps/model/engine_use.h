// The engine for commands that have the model with tensors as well.
#pragma once

#include <memory>

#include "heed/engine/engine.h"
#include "model/model_command.h"

namespace heed::apps {

/// Throws ConfigError, "`--precision` other than fp32 WHY", unless a model that cannot compute on the engine may
/// compute as it was trained.
void require_trained_precision(engine::PrecisionChoice precision, const std::string& why);

/// The model on the engine, in the precision asked for; null where the engine does not take it and nothing else than
/// float32 is asked for. Throws ConfigError, FileError, CheckpointError.
std::shared_ptr<const engine::Engine> engine_of(const UsedModel& model, engine::PrecisionChoice precision);

}  // namespace heed::apps
