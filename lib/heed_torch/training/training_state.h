// The state of a training apart from parameters and optimizer. With it a training resumes as if it had never stopped.
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

/// The conditions, as text, under which parts of a saved state are valid; the seed is another condition. If training
/// resumes under other conditions, the part is reset, or its nearest equivalent is used.
struct StateTerms {
  std::string scores = {};     ///< conditions of scores (patience, best checkpoint), apart from the model
  std::string order = {};      ///< conditions of the text's order (position in the text, carried states)
  std::string schedule = {};   ///< conditions of a plateau schedule (number of reductions)
  std::string precision = {};  ///< conditions of loss scaling (the scale)
  bool operator==(const StateTerms&) const = default;
};

struct TrainingState {
  Progress progress = {};
  data::StreamPosition position = {};  ///< of the next update
  PlateauState schedule = {};
  EarlyStopping::State patience = {};
  LossScaler::State loss_scale = {};
  int64_t skipped_updates = 0;
  int64_t bad_in_a_row = 0;     ///< the number of latest updates whose gradients were not finite
  bool validation_due = false;  ///< due at this update and not finished
  TimeSpent spent = {};
  MeterState meter = {};  ///< of the updates since the last report
  uint64_t seed = 0;
  std::optional<StateTerms> terms = std::nullopt;  ///< absent in older checkpoints
  int64_t era = 0;                                 ///< of scores: see checkpoint::CheckpointInfo
  std::map<std::string, at::Tensor> carried = {};  ///< see RecurrentStates; saved with the optimizer's tensors
};

/// The state without tensors as JSON (state.json of a checkpoint). Numbers are read back exactly.
std::string to_json(const TrainingState& state);
/// Throws CheckpointError naming `path` if a member is missing or of another type.
TrainingState read_state(const std::string& json, const std::string& path);

}  // namespace heed::training
