// The state of a training beside parameters and optimizer: with it a training goes on as if it had never stopped.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <ATen/core/Tensor.h>

#include "heed/core/amount.h"
#include "heed/data/batches/stream_position.h"
#include "heed/report/training_clock.h"
#include "heed_torch/training/meter.h"
#include "heed_torch/training/optimization/schedule.h"
#include "heed_torch/training/stopping.h"
#include "heed_torch/training/update/precision.h"

namespace heed::training {

/// What parts of a state hold under beside the seed, as text. Where a training goes on under other terms, such a part
/// begins anew, or its nearest meaning is taken.
struct StateTerms {
  std::string scores = {};     ///< what scores depend on beside the model: patience, and which checkpoint is best
  std::string order = {};      ///< what the order of the text depends on: the position in it, and carried states
  std::string schedule = {};   ///< what a plateau's falls are of: how many there were
  std::string precision = {};  ///< what a loss is scaled for: the scale
  bool operator==(const StateTerms&) const = default;
};

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
  std::optional<StateTerms> terms = std::nullopt;  ///< absent in older checkpoints
  int64_t era = 0;                                 ///< of scores: see checkpoint::CheckpointInfo
  std::map<std::string, at::Tensor> carried = {};  ///< see CarriedStates; saved with the optimizer's tensors
};

/// As JSON (state.json of a checkpoint), but for the tensors; numbers read back exactly.
std::string to_json(const TrainingState& state);
/// Throws CheckpointError naming `path` when a member is missing or of another type.
TrainingState read_state(const std::string& json, const std::string& path);

}  // namespace heed::training
