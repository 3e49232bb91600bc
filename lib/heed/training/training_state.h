// What a training must remember beside parameters and the optimizer's tensors to go on as if it had never stopped.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <ATen/core/Tensor.h>

#include "heed/core/amount.h"
#include "heed/data/batch.h"
#include "heed/training/meter.h"
#include "heed/training/optimization/schedule.h"
#include "heed/training/stopping.h"
#include "heed/training/training_clock.h"
#include "heed/training/update/precision.h"

namespace heed::training {

struct TrainingState {
  Progress progress = {};
  data::StreamPosition position = {};  ///< of the next update
  PlateauState schedule = {};
  Patience::State patience = {};
  LossScaler::State loss_scale = {};
  int64_t skipped_updates = 0;
  int64_t bad_in_a_row = 0;     ///< the latest updates, whose gradients were not finite
  bool validation_due = false;  ///< at this very update, and not finished
  TimeSpent spent = {};
  MeterState meter = {};  ///< of the updates since the last report
  uint64_t seed = 0;
  std::map<std::string, at::Tensor> carried = {};  ///< see CarriedStates; saved with the optimizer's tensors
};

/// As JSON (state.json of a checkpoint), but for the tensors; numbers read back exactly.
std::string to_json(const TrainingState& state);
/// Throws CheckpointError naming `path` when a member is missing or of another type.
TrainingState read_state(const std::string& json, const std::string& path);

}  // namespace heed::training
