// A trained model that is used with tensors, and the engine beside it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <c10/core/Device.h>

#include "heed/api/engine_road.h"
#include "heed/config/model_directory.h"
#include "heed/engine/engine.h"

namespace heed::api {

struct UsedModel {
  at::Device device;
  config::OpenedModel opened;
};

/// Throws ConfigError, "`--precision` other than fp32 WHY", unless a model that cannot compute on the engine may
/// compute as it was trained.
void require_trained_precision(engine::PrecisionChoice precision, const std::string& why);

/// What keeps a model on a device from computing on the engine, as the end of a sentence; absent: nothing.
std::optional<std::string> no_engine(at::Device device, const models::ArchitectureOptions& arch);
/// Throws ConfigError, which says why, where something is asked for that the engine alone does.
void require_no_engine(const EngineUse& use, const std::string& why);

/// The model on the engine, in the precision asked for; null where the engine does not take it and nothing else than
/// float32 is asked for. Throws ConfigError, FileError, CheckpointError.
std::shared_ptr<const engine::Engine> engine_of(const UsedModel& model, engine::PrecisionChoice precision);

}  // namespace heed::api
