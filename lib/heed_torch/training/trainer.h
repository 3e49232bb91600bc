// Trains a model from the first step, or from the newest checkpoint, to the final model. Decides when to report,
// validate, save and stop. training_steps.h has the step itself.
//
// The same setup on the same machine gives the same bits, interrupted or not. The random numbers of a step depend only
// on the seed and the step's number; a checkpoint holds all other state (see TrainingState). It does not matter which
// replica or rank computes a micro-batch of a step. The number of micro-batches (see stream_of) changes the last digits
// of sums. A training may resume with another setup if the saved tensors fit; StateConditions says which state is reset
// then.
//
// On several ranks, each rank has a Trainer that makes the same steps. Rank 0 has the directory and the observers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heed/report/observer.h"
#include "heed/report/training_clock.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/training/checkpoint_store.h"
#include "heed_torch/training/limits.h"
#include "heed_torch/training/stopping.h"
#include "heed_torch/training/trainer_setup.h"
#include "heed_torch/training/training_reporter.h"
#include "heed_torch/training/training_steps.h"
#include "heed_torch/training/validator.h"

namespace heed::training {

/// How a training ended.
struct TrainingOutcome {
  bool finished = false;  ///< whether a limit or early stopping ended it, not a StopRequest
  std::string reason;     ///< the reason passed to Observer::on_stop
  Progress progress;
  std::optional<FinalReport> final;  ///< if finished
  std::optional<Limit> limit;        ///< the limit that ended it
};

class Trainer {
 public:
  /// `directory` and `observers` must outlive the trainer. Throws ConfigError if options contradict each other.
  Trainer(TrainerSetup setup, checkpoint::RunDirectory& directory, std::vector<Observer*> observers)
      : Trainer(std::move(setup), &directory, std::move(observers)) {}
  /// `directory`: null on all ranks except rank 0.
  Trainer(TrainerSetup setup, checkpoint::RunDirectory* directory, std::vector<Observer*> observers);
  ~Trainer();

  /// Trains until a limit, early stopping or `stop`, from the newest checkpoint in the directory if there is one. Then
  /// makes model.safetensors: see CheckpointStore::finish. A stop request saves a checkpoint first. It interrupts a
  /// validation, which is repeated when training resumes. Throws Error after train.max-nonfinite-steps steps in a row
  /// without a finite gradient, or if the parameters are not finite when they should be scored or saved. Throws
  /// CheckpointError if a checkpoint does not fit the model. Throws Error if the last checkpoint cannot be written; for
  /// an earlier one it only warns.
  TrainingOutcome train(const StopRequest& stop);

 private:
  void start();
  void restore(const Resumed& resumed);
  void restore_scores(const TrainingState& saved, bool same_scores);
  /// scores: those that the checkpoint gets.
  TrainingState state(const Scores& scores) const;
  /// What all ranks agree on before a step, since each rank may see something different.
  struct Agreed {
    bool stop = false;
    bool waits = false;  ///< a rank has no batch yet
    bool ended = false;  ///< the text has ended
    double elapsed_seconds = 0;
  };
  Agreed agree(data::Waited waited, const StopRequest& stop) const;
  TrainingMoment now() const { return {.progress = steps_.progress(), .seconds = clock_.spent().elapsed_seconds}; }
  data::Waited wait_for_batch(const StopRequest& stop);
  std::optional<std::string> stop_reason(double elapsed_seconds) const;

  /// elapsed_seconds: the value that all ranks agreed on.
  void training_step(double elapsed_seconds, const StopRequest& stop);
  void after_step(const Progress& before, const StopRequest& stop);
  void require_finite_parameters() const;
  ValidationReport score(const StopRequest& stop);
  void judge(ValidationReport& report, EarlyStopping& patience);
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

  TrainerSetup setup_;
  ObserverGroup observers_;
  TrainingSteps steps_;
  TrainingClock clock_;
  TrainingReporter reporter_;
  EarlyStopping patience_;
  CheckpointStore checkpoints_;
  std::unique_ptr<Validator> validator_;

  bool checkpoint_due_ = false;         // a checkpoint is due at this step, by the schedule
  bool validation_due_ = false;         // a validation is due at this step and not finished
  int64_t saved_at_ = -1;               // step of the newest checkpoint
  int64_t validated_at_ = -1;           // step of the newest validation
  checkpoint::VersionedScores scores_;  // of that validation
  bool scored_off_schedule_ = false;    // that validation was the one at the end of training
  bool improved_ = false;               // that validation is better than all before
};

}  // namespace heed::training
