#include "heed_torch/training/training_steps.h"

#include <algorithm>
#include <utility>

#include "heed/report/training_clock.h"
#include "heed_torch/training/step/precision.h"
#include "heed_torch/training/step/sampling_schedule.h"

namespace heed::training {

TrainingSteps::TrainingSteps(const TrainerSetup& setup)
    : setup_(setup),
      optimizer_(make_optimizer(setup)),
      stream_(make_stream(setup)),
      carried_(text_of(setup) ? text_of(setup)->columns : 0),
      computer_(make_computer(setup, carried_)),
      schedule_(setup.train.schedule, setup.model->output->options().d_model, training_limit(setup.train),
                setup.train.max_minutes),
      scaler_(setup.train.precision),
      skipped_(setup.train.max_nonfinite_steps) {}

FinishedStep TrainingSteps::make(double elapsed_seconds) {
  FinishedStep step{.batch = stream_.next(), .result = {}, .time = {}};
  step.time.data = stream_.waiting_seconds() - std::exchange(waited_, stream_.waiting_seconds());
  const auto begin = Clock::now();
  const double forced = teacher_forcing(setup_.train.sampling, progress_);
  const Amount& r_drop_start = setup_.train.r_drop_start;
  const bool r_drop = progress_.in(r_drop_start.unit) >= r_drop_start.value;
  progress_.steps += 1;
  progress_.tokens += static_cast<double>(step.batch.target_tokens);
  progress_.epochs = static_cast<double>(stream_.position().epoch) + stream_.epoch_progress();

  step.result = computer_.compute(step.batch, {.number = static_cast<uint64_t>(count()),
                                               .loss_scale = scaler_.scale(),
                                               .teacher_forcing = forced,
                                               .r_drop = r_drop});
  if (step.result.bad_micro_batches.empty())
    carried_.advance();
  else
    carried_.forget(step.batch);
  learning_rate_ = schedule_.learning_rate(progress_, elapsed_seconds);
  const double waited = optimizer_->shared_work().seconds_waited;
  if (step.result.finite) {
    const PrecisionScope precision(setup_.device.type(), setup_.train.precision);  // of Muon's matrix multiplications
    optimizer_->step(learning_rate_);
    scaler_.succeeded();
    skipped_.made();
  } else {
    step.skipped = skip(step);
  }
  step.time.forward = step.result.forward_seconds;
  step.time.backward = step.result.backward_seconds;
  step.time.exchange = step.result.exchange_seconds + optimizer_->shared_work().seconds_waited - waited;
  step.time.optimizer = seconds_since(begin) - step.time.forward - step.time.backward - step.time.exchange;
  return step;
}

std::string TrainingSteps::skip(const FinishedStep& step) {
  if (!step.result.bad_micro_batches.empty() || !scaler_.overflowed()) {
    return skipped_.bad(count(), step.batch, step.result, stream_.pairs());
  }
  skipped_.overflowed();
  return {};
}

/// A position in another order says only how much of the epoch is behind us, and carried states are of other lines. The
/// reductions of a plateau schedule are kept, but scores under other conditions cannot be compared, so the validations
/// since the last better one are counted from 0 again.
void TrainingSteps::load(const TrainingState& saved, const SameConditions& same) {
  progress_ = saved.progress;
  if (same.order) {
    stream_.seek(saved.position);
    carried_.load(saved.carried, setup_.device, "the checkpoint");
  } else {
    const double share = saved.progress.epochs - static_cast<double>(saved.position.epoch);
    stream_.seek_about(saved.position, std::clamp(share, 0.0, 1.0));
  }
  if (same.schedule) {
    schedule_.load({.reductions = saved.schedule.reductions, .waiting = same.scores ? saved.schedule.waiting : 0});
  }
  if (same.precision) scaler_.load(saved.loss_scale);
  skipped_.load(saved.skipped);
}

TrainingState TrainingSteps::state() const {
  TrainingState state;
  state.progress = progress_;
  state.position = stream_.position();
  state.schedule = schedule_.state();
  state.loss_scale = scaler_.state();
  state.skipped = skipped_.state();
  state.carried = carried_.tensors();
  return state;
}

int64_t TrainingSteps::epoch() const { return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(progress_.epochs))); }

}  // namespace heed::training
