// The state of a training apart from parameters and optimizer. With it a training resumes as if it had never stopped.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <ATen/core/Tensor.h>

#include "heed/core/amount.h"
#include "heed/data/batches/stream_position.h"
#include "heed/model_directory/manifest.h"
#include "heed/report/training_clock.h"
#include "heed_torch/training/meter.h"
#include "heed_torch/training/optimization/schedule.h"
#include "heed_torch/training/step/precision.h"
#include "heed_torch/training/step/skipped_steps.h"
#include "heed_torch/training/stopping.h"

namespace heed::training {

/// The conditions, as text, under which parts of a saved state are valid; the seed is another condition. If training
/// resumes under other conditions, the part is reset, or its nearest equivalent is used.
struct StateConditions {
  std::string scores = {};     ///< conditions of scores (patience, best checkpoint), apart from the model
  std::string order = {};      ///< conditions of the text's order (position in the text, carried states)
  std::string schedule = {};   ///< conditions of a plateau schedule (number of reductions)
  std::string precision = {};  ///< conditions of loss scaling (the scale)
  bool operator==(const StateConditions&) const = default;
};
void describe_members(StateConditions& conditions, auto& visit) {
  visit("scores", conditions.scores);
  visit("order", conditions.order);
  visit("schedule", conditions.schedule);
  visit("precision", conditions.precision);
}

/// Whether one of the saved conditions is that of this start. Conditions are text, "NAME VALUE, NAME VALUE". They are
/// compared by name: another version of heed may list more or fewer options, in another order, or under former names
/// (former_names.h). before: this version's conditions of the options in config.toml. An option that `saved` does not
/// name had the value in `before`. Names that only `saved` has are of another version and do not count. The
/// checksums of the text ("valid-target file 1 SUM") must all be the same.
bool same_conditions(std::string_view saved, std::string_view before, std::string_view now);

/// Which conditions are those of this start.
struct SameConditions {
  bool scores = true, order = true, schedule = true, precision = true;
};
SameConditions same_conditions(const StateConditions& saved, const StateConditions& before, const StateConditions& now);

struct TrainingState {
  Progress progress = {};
  data::StreamPosition position = {};  ///< of the next step
  PlateauState schedule = {};
  EarlyStopping::State patience = {};
  LossScaler::State loss_scale = {};
  SkippedSteps::State skipped = {};
  bool validation_due = false;  ///< due at this step and not finished
  TimeSpent spent = {};
  MeterState meter = {};  ///< of the steps since the last report
  uint64_t seed = 0;
  std::optional<StateConditions> conditions = std::nullopt;  ///< absent in older checkpoints
  checkpoint::VersionedScores scores = {};                   ///< of a validation at this step, saved in the manifest
  std::map<std::string, at::Tensor> carried = {};  ///< see RecurrentStates; saved with the optimizer's tensors
};
/// What state.json of a checkpoint holds (core/text/json_members.h).
void describe_members(TrainingState& state, auto& visit) {
  visit("update", state.progress.steps);
  visit("tokens", state.progress.tokens);
  visit("epochs", state.progress.epochs);
  visit("stream", state.position);
  visit("schedule", state.schedule);
  visit("patience", state.patience);
  visit("loss_scale", state.loss_scale);
  visit("skipped_updates", state.skipped.skipped);
  visit("bad_in_a_row", state.skipped.bad_in_a_row);
  visit.added("validation_due", state.validation_due);
  visit("seconds", state.spent.elapsed_seconds);
  visit.added("processor_seconds", state.spent.processor_seconds);
  visit.added("meter", state.meter);
  visit("seed", state.seed);
  visit.if_set("terms", state.conditions);
  visit.if_set("era", state.scores.version);
}

/// state.json of a checkpoint. Numbers are read back exactly.
std::string to_json(const TrainingState& state);
/// Throws CheckpointError naming `path` if a member is missing or of another type.
TrainingState read_state(const std::string& json, const std::string& path);

}  // namespace heed::training
