// Trainings that are watched, and what two of them leave compared.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "heed_torch/checkpoint/checkpoints.h"
#include "heed_torch/training/trainer.h"
#include "heed_torch/training/training_state.h"

namespace heed::training {

/// Keeps what it is told, and may act on it.
struct Recorder : Observer {
  std::vector<StartReport> starts;
  std::vector<OptionChange> changes;
  std::vector<TrainingReport> trainings, by_clock;
  std::vector<std::string> forecasts;
  std::vector<ValidatingReport> validating;
  std::vector<ValidationReport> validations;
  std::vector<std::string> warnings;
  std::vector<double> checkpoints;
  std::vector<FinalReport> finals;
  std::function<void(const TrainingReport&)> act = [](const TrainingReport&) {};

  void on_start(const StartReport& report) override { starts.push_back(report); }
  void on_change(const OptionChange& change, const Progress&) override { changes.push_back(change); }
  void on_training(const TrainingReport& report) override {
    trainings.push_back(report);
    act(report);
  }
  void on_progress(const TrainingReport& report) override { by_clock.push_back(report); }
  void on_forecast(const std::string& forecast) override { forecasts.push_back(forecast); }
  void on_validating(const ValidatingReport& report) override { validating.push_back(report); }
  void on_validation(const ValidationReport& report) override { validations.push_back(report); }
  void on_checkpoint(const std::string&, const Progress& progress) override { checkpoints.push_back(progress.steps); }
  void on_finish(const FinalReport& report) override { finals.push_back(report); }
  void on_warning(const std::string& message) override { warnings.push_back(message); }
};

struct Trained {
  TrainingOutcome outcome;
  Recorder recorder;
};

/// Trains in `directory`; stops by request after `stop_at` steps (0: never). act: after each report.
inline Trained train(
    const TrainerSetup& setup, const std::string& directory, double stop_at = 0,
    const std::function<void(const TrainingReport&)>& act = [](const TrainingReport&) {}) {
  checkpoint::RunDirectory run_directory(directory);
  Trained run;
  StopRequest stop;
  run.recorder.act = [&](const TrainingReport& report) {
    act(report);
    if (report.progress.steps == stop_at) stop.request();
  };
  run.outcome = Trainer(setup, run_directory, {&run.recorder}).train(stop);
  return run;
}

inline void expect_equal(const checkpoint::NamedTensors& one, const checkpoint::NamedTensors& other) {
  ASSERT_EQ(one.size(), other.size());
  for (const auto& [name, tensor] : one) EXPECT_TRUE(torch::equal(tensor, other.at(name))) << name;
}

/// The same parameters, optimizer and state to the last bit, but for seconds.
inline void expect_same_end(const std::string& one, const std::string& other, int64_t step) {
  const auto first = checkpoint::load_checkpoint(one, step);
  const auto second = checkpoint::load_checkpoint(other, step);
  expect_equal(first.model, second.model);
  expect_equal(first.optimizer, second.optimizer);
  EXPECT_EQ(first.info.scores, second.info.scores);
  TrainingState left = read_state(first.state, "one"), right = read_state(second.state, "other");
  left.spent = right.spent = {};
  left.meter.time = right.meter.time = {};
  EXPECT_EQ(to_json(left), to_json(right));
}

}  // namespace heed::training
