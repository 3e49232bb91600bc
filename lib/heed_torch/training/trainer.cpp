#include "heed_torch/training/trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/exception_text.h"
#include "heed_torch/training/evaluation_weights.h"
#include "heed_torch/training/frequency_loss.h"
#include "heed_torch/training/step/micro_batch_loss.h"

namespace heed::training {
namespace {

TrainerSetup checked(TrainerSetup setup) {
  validate(setup);
  return setup;
}

constexpr const char* kTextEnded = "the text has ended, which is read once (data.shuffle-buffer)";

}  // namespace

Trainer::Trainer(TrainerSetup setup, checkpoint::RunDirectory* directory, std::vector<Observer*> observers)
    : setup_(checked(std::move(setup))),
      observers_(std::move(observers)),
      steps_(setup_),
      reporter_(setup_, steps_, clock_, observers_),
      patience_(setup_.valid),
      checkpoints_(setup_.ranks, directory, *setup_.model, steps_.optimizer(), setup_.train, setup_.valid.metric),
      validator_(make_validator(setup_)) {
  if (!validator_) return;
  validator_->report_to(
      [this](int64_t done, int64_t all, std::string_view things) { reporter_.validating(done, all, things); });
}

Trainer::~Trainer() = default;

TrainingOutcome Trainer::train(const StopRequest& stop) {
  start();
  try {
    if (validation_due_ && !steps_.last_was_bad()) validate(stop);
    while (true) {
      const Agreed agreed = agree(wait_for_batch(stop), stop);
      if (const auto reason = stop_reason(agreed.elapsed_seconds)) return finish(*reason, stop);
      if (agreed.stop) return interrupt();
      if (agreed.waits) continue;
      if (agreed.ended) return finish(kTextEnded, stop);
      training_step(agreed.elapsed_seconds, stop);
    }
  } catch (const Stopped&) {
    return interrupt();
  }
}

void Trainer::start() {
  const auto saved = checkpoints_.resume();
  if (saved) restore(*saved);
  reporter_.start(validator_.get(), saved.has_value());
  setup_.reported();
  if (saved) return;
  if (validator_) validator_->rehearse();
  save({});
}

void Trainer::restore(const Resumed& resumed) {
  const TrainingState& saved = resumed.state;
  if (saved.seed != setup_.seed) {
    throw ConfigError("seed",
                      fmt::format("must be {}, as in the checkpoint to resume, but is {}", saved.seed, setup_.seed));
  }
  const StateConditions& conditions = saved.conditions ? *saved.conditions : setup_.conditions_before;
  const SameConditions same = same_conditions(conditions, setup_.conditions_before, setup_.conditions);
  steps_.load(saved, same);
  restore_scores(saved, same.scores);
  clock_.resume_from(saved.spent);
  reporter_.load(saved.meter);
  saved_at_ = steps_.count();
  checkpoint_due_ = resumed.scheduled;
}

/// Scores under other conditions cannot be compared: the best score and its age then say nothing now.
void Trainer::restore_scores(const TrainingState& saved, bool same_scores) {
  scores_.version = same_scores ? saved.scores.version : saved.scores.version + 1;
  if (same_scores) patience_.load(saved.patience);
  if (same_scores && !saved.scores.by_name.empty()) remember(saved.scores.by_name);
  validation_due_ = saved.validation_due && validator_;
}

TrainingState Trainer::state(const Scores& scores) const {
  TrainingState state = steps_.state();
  state.patience = patience_.state();
  state.validation_due = validation_due_;
  state.spent = clock_.spent();
  state.meter = reporter_.state();
  state.seed = setup_.seed;
  state.conditions = setup_.conditions;
  state.scores = {.by_name = scores, .version = scores_.version};
  return state;
}

Trainer::Agreed Trainer::agree(data::Waited waited, const StopRequest& stop) const {
  const bool leads = setup_.ranks->leads();
  const auto count = [](bool holds) { return holds ? 1.0 : 0.0; };
  const std::vector<double> sums = setup_.ranks->add(
      std::vector<double>{count(stop.requested()), count(waited == data::Waited::Nothing),
                          count(waited == data::Waited::End), leads ? clock_.spent().elapsed_seconds : 0.0});
  return {.stop = sums[0] > 0, .waits = sums[1] > 0, .ended = sums[2] > 0, .elapsed_seconds = sums[3]};
}

/// A stop request, or a limit that is reached (also one of time), ends the wait for a line that may never come. If
/// there are several ranks, only one of them may have received the request: so they regularly ask each other.
data::Waited Trainer::wait_for_batch(const StopRequest& stop) {
  constexpr double kAlone = 1;  // seconds
  const auto begin = Clock::now();
  return steps_.wait([&] {
    return stop.requested() || stop_reason(clock_.spent().elapsed_seconds).has_value() ||
           (!setup_.ranks->alone() && seconds_since(begin) > kAlone);
  });
}

std::optional<std::string> Trainer::stop_reason(double elapsed_seconds) const {
  if (patience_.exhausted()) return patience_.reason();
  return limit_reached(setup_.train, steps_.progress(), elapsed_seconds);
}

void Trainer::training_step(double elapsed_seconds, const StopRequest& stop) {
  const Progress before = steps_.progress();
  const FinishedStep step = steps_.make(elapsed_seconds);
  if (!step.skipped.empty()) observers_.on_warning(step.skipped + "; the step is skipped");
  reporter_.finished(step, before);
  after_step(before, stop);
}

// After a bad step the parameters are still those that caused it. A validation that is due waits until the run of bad
// steps ends; a checkpoint that is due is skipped until the next one.
void Trainer::after_step(const Progress& before, const StopRequest& stop) {
  checkpoint_due_ = is_due(setup_.valid.every, before, steps_.progress());
  validation_due_ |= checkpoint_due_ && validator_;
  if (setup_.train.save_every) checkpoint_due_ |= is_due(*setup_.train.save_every, before, steps_.progress());
  checkpoint_due_ = (checkpoint_due_ || validation_due_) && !steps_.last_was_bad();
  if (validation_due_ && checkpoint_due_) return validate(stop);
  if (checkpoint_due_) try_to_save({});
}

void Trainer::require_finite_parameters() const {
  const torch::NoGradGuard no_grad;
  for (const auto& [name, parameter] : trainable_parameters(*setup_.model)) {
    if (at::isfinite(parameter).all().item<bool>()) continue;
    throw Error(
        fmt::format("the parameters are not finite after step {}: training has diverged; lower the learning "
                    "rate or lengthen the warm-up; the last good checkpoint is kept",
                    steps_.count()));
  }
}

ValidationReport Trainer::score(const StopRequest& stop) {
  require_finite_parameters();
  const auto start = Clock::now();
  const EvaluationWeights evaluation(steps_.optimizer(), trainable_parameters(*setup_.model));
  ValidationScores made = validator_->validate(stop);
  remember(made.scores);
  return {.progress = steps_.progress(),
          .epoch = steps_.epoch(),
          .scores = std::move(made.scores),
          .signature = std::move(made.signature),
          .chrf_signature = std::move(made.chrf_signature),
          .stopping_metric = metric_name(setup_.valid.metric),
          .patience = setup_.valid.patience,
          .seconds = seconds_since(start),
          .elapsed_seconds = clock_.spent().elapsed_seconds,
          .samples = std::move(made.samples),
          .translations = std::move(made.translations),
          .references = std::move(made.references)};
}

void Trainer::remember(const Scores& scores) {
  scores_.by_name = scores;
  validated_at_ = steps_.count();
}

void Trainer::judge(ValidationReport& report, EarlyStopping& patience) {
  const double score = report.scores.at(report.stopping_metric), loss = report.scores.at("loss");
  const bool is_first = !patience.state().best_score.has_value();
  report.best_by_loss = patience.compare(score, loss) == EarlyStopping::Comparison::BetterByLoss;
  report.best = patience.observe(score, loss);
  report.since_best = patience.state().since_best;
  improved_ = report.best && !is_first;
}

void Trainer::validate(const StopRequest& stop) {
  ValidationReport report = score(stop);
  validation_due_ = scored_off_schedule_ = false;
  judge(report, patience_);
  steps_.validated(report.best);
  reporter_.validated(report);
  try_to_save(report.scores);
}

void Trainer::save(const Scores& scores) {
  require_finite_parameters();
  const SaveReason reason{.scheduled = checkpoint_due_, .scored_off_schedule = scored_off_schedule_ && !scores.empty()};
  std::string saved;
  checkpoints_.save(state(scores), reason, [&](const std::string& path) {
    observers_.before_checkpoint(path, steps_.progress());
    saved = path;
  });
  saved_at_ = steps_.count();
  observers_.on_checkpoint(saved, steps_.progress());
}

void Trainer::try_to_save(const Scores& scores) {
  require_finite_parameters();
  try {
    save(scores);
  } catch (const checkpoint::DirectoryMoved&) {
    throw;  // nothing more can be saved
  } catch (const std::exception& error) {
    const std::string message = fmt::format("the checkpoint of step {} could not be saved ({}); training continues",
                                            steps_.count(), sentence_of(error));
    observers_.on_warning(message);
    return;
  }
  if (!scores.empty()) try_to_publish();
}

void Trainer::try_to_publish() {
  try {
    checkpoints_.write_best_model(scores_.version);
  } catch (const checkpoint::DirectoryMoved&) {
    throw;
  } catch (const std::exception& error) {
    const std::string message =
        fmt::format("the best model so far could not be put in place ({}); training continues", sentence_of(error));
    observers_.on_warning(message);
  }
}

void Trainer::save_the_end() {
  if (saved_at_ != steps_.count()) save(validated_at_ == steps_.count() ? scores_.by_name : Scores{});
}

// EarlyStopping and plateau ignore this validation: a run resumed with a later limit would not have validated here.
void Trainer::validate_last(const StopRequest& stop) {
  ValidationReport report = score(stop);
  scored_off_schedule_ = true;
  EarlyStopping patience = patience_;
  judge(report, patience);
  observers_.on_validation(report);
  saved_at_ = -1;  // the scored checkpoint replaces the unscored one of this step
}

TrainingOutcome Trainer::finish(const std::string& reason, const StopRequest& stop) {
  const auto limit = patience_.exhausted() ? std::nullopt : reached_limit(setup_.train, now());
  observers_.on_stop(reason, steps_.progress());
  if (validator_ && validated_at_ != steps_.count()) validate_last(stop);
  save_the_end();
  if (!scores_.by_name.empty()) try_to_publish();  // an average takes time
  const auto score = [&] { return validator_->validate(stop).scores; };
  FinalReport report = checkpoints_.finish(scores_.version, validator_ ? ScoreModel(score) : ScoreModel());
  report.progress = steps_.progress();
  report.spent = clock_.spent();
  report.still_improving = limit && (improved_ || report.still_improving);  // a resumed run knows only its checkpoints
  report.learned_little = little_learned(report);
  observers_.on_finish(report);
  tell_text();
  return {.finished = true, .reason = reason, .progress = steps_.progress(), .final = report, .limit = limit};
}

std::optional<LittleLearned> Trainer::little_learned(const FinalReport& report) const {
  if (!validator_ || !setup_.ranks->leads()) return std::nullopt;
  const auto frequency_loss = validator_->frequency_loss();
  const Scores& scores = std::ranges::find(report.candidates, report.chosen, &Candidate::name)->scores;
  if (!frequency_loss || !scores.contains("loss")) return std::nullopt;
  const double loss = scores.at("loss");
  if (!has_learned_little(loss, *frequency_loss)) return std::nullopt;
  return LittleLearned{.loss = loss, .frequency_loss = *frequency_loss};
}

TrainingOutcome Trainer::interrupt() {
  const std::string reason = "it was asked to; the same command resumes from here";
  save_the_end();
  checkpoints_.write_best_model(scores_.version);
  observers_.on_stop(reason, steps_.progress());
  tell_text();
  return {
      .finished = false, .reason = reason, .progress = steps_.progress(), .final = std::nullopt, .limit = std::nullopt};
}

void Trainer::tell_text() const {
  if (setup_.ranks->leads()) setup_.text->tell(steps_.position());
}

}  // namespace heed::training
