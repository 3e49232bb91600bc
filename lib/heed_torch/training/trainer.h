// A training from its first update, or from where it was interrupted, to the final model.
//
// The same setup on the same machine gives the same bits, interrupted or not: what an update draws depends on the seed
// and its number, and a checkpoint holds all else (see TrainingState). Who computes the parts of an update does not
// matter; how many there are (see stream_of) changes sums in the last digits. A training may go on with another setup
// as long as the saved tensors fit: see StateTerms for what then begins anew.
//
// On several ranks each has a Trainer that makes the same updates; rank 0 has the directory and the observers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/data/batches/update_stream.h"
#include "heed/report/observer_group.h"
#include "heed/report/training_clock.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/training/forecast.h"
#include "heed_torch/training/limits.h"
#include "heed_torch/training/meter.h"
#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/optimization/schedule.h"
#include "heed_torch/training/report_pace.h"
#include "heed_torch/training/shared_checkpoints.h"
#include "heed_torch/training/stopping.h"
#include "heed_torch/training/trainer_setup.h"
#include "heed_torch/training/update/carried_states.h"
#include "heed_torch/training/update/precision.h"
#include "heed_torch/training/update/skipped_updates.h"
#include "heed_torch/training/update/update_computer.h"
#include "heed_torch/training/validator.h"

namespace heed::training {

/// How a training ended.
struct TrainingOutcome {
  bool finished = false;  ///< by a limit or by early stopping, and not by a StopRequest
  std::string reason;     ///< as Observer::on_stop had it
  Progress progress;
  std::optional<FinalReport> final;  ///< if finished
  std::optional<Limit> limit;        ///< that ended it
};

class Trainer {
 public:
  /// `directory` and `observers` must outlive the trainer. Throws ConfigError where options do not agree.
  Trainer(TrainerSetup setup, checkpoint::RunDirectory& directory, std::vector<Observer*> observers)
      : Trainer(std::move(setup), &directory, std::move(observers)) {}
  /// `directory`: null on all ranks but the first.
  Trainer(TrainerSetup setup, checkpoint::RunDirectory* directory, std::vector<Observer*> observers);
  ~Trainer();

  /// Trains until a limit, early stopping or `stop`; from the newest checkpoint in the directory if there is one. Then
  /// makes model.safetensors: see CheckpointKeeper::finish. A stop request saves a checkpoint first; it ends a
  /// validation, which is made up for when training goes on. Throws Error after train.max-bad-updates updates in a row
  /// without a finite gradient, or where the parameters are not finite when they should be scored or saved;
  /// CheckpointError when a checkpoint does not fit the model; Error when the last checkpoint cannot be written (an
  /// earlier one that cannot is a warning).
  TrainingOutcome train(const StopRequest& stop);

 private:
  void start();
  void restore(const Resumed& resumed);
  /// Whether what was saved under those terms holds for this start.
  bool holds(const StateTerms& before, std::string StateTerms::* terms) const;
  void restore_place(const TrainingState& saved, const StateTerms& before);
  void restore_judgment(const Resumed& resumed, const StateTerms& before);
  TrainingState state() const;
  /// What all ranks go by, where each could find something else.
  struct Agreed {
    bool stop = false;
    bool waits = false;  ///< one of them has no update yet
    bool ended = false;  ///< the text has
    double elapsed_seconds = 0;
  };
  Agreed agree(data::Waited waited, const StopRequest& stop) const;
  TrainingMoment now() const { return {.progress = progress_, .seconds = clock_.spent().elapsed_seconds}; }
  data::Waited wait_for_update(const StopRequest& stop);
  std::optional<std::string> stop_reason(double elapsed_seconds) const;

  /// elapsed_seconds: as all ranks have agreed on it.
  void make_update(double elapsed_seconds);
  void skip(const data::Update& update, const ComputedUpdate& computed);
  bool in_bad_run() const { return skipped_.state().bad_in_a_row > 0; }
  void require_finite_parameters() const;
  void after_update(const Progress& before, const StopRequest& stop);
  TrainingReport training_report() const;
  void report_training();
  void report_progress();
  void report_forecast();
  void report_validating(int64_t done, int64_t all, std::string_view things);
  ValidationReport score(const StopRequest& stop);
  void judge(ValidationReport& report, Patience& patience);
  void remember(const Scores& scores);
  void validate(const StopRequest& stop);
  void validate_last(const StopRequest& stop);
  void save(const Scores& scores);
  void try_to_save(const Scores& scores);
  void try_to_publish();
  void save_the_end();
  TrainingOutcome finish(const std::string& reason, const StopRequest& stop);
  std::optional<LittleLearned> little_learned(const FinalReport& report) const;
  TrainingOutcome interrupt();
  void tell_text() const;

  int64_t updates() const;

  TrainerSetup setup_;
  ObserverGroup observers_;
  std::unique_ptr<Optimizer> optimizer_;
  data::UpdateStream stream_;
  CarriedStates carried_;  // of a continuous text
  UpdateComputer computer_;
  Schedule schedule_;
  Patience patience_;
  LossScaler scaler_;
  SkippedUpdates skipped_;
  SharedCheckpoints keeper_;
  std::unique_ptr<Validator> validator_;
  Meter meter_;
  ReportPace pace_;
  Forecaster forecaster_;

  Progress progress_;
  double waited_ = 0;                 // seconds for data, as far as the meter knows
  double learning_rate_ = 0;          // of the last update
  bool checkpoint_due_ = false;       // at this update, by the schedule
  bool validation_due_ = false;       // at this update, and not finished
  int64_t saved_at_ = -1;             // update of the newest checkpoint
  int64_t validated_at_ = -1;         // update of the newest validation
  Scores scores_;                     // of that validation
  int64_t era_ = 0;                   // of scores: see checkpoint::CheckpointInfo
  bool scored_off_schedule_ = false;  // it was the end's
  bool improved_ = false;             // that validation is better than all before
  Progress started_at_;               // progress of this process's start
  TrainingClock clock_;
};

}  // namespace heed::training
