#include "heed_torch/training/trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/exception_text.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed_torch/nn/lora.h"
#include "heed_torch/training/frequency_loss.h"
#include "heed_torch/training/update/micro_batch_loss.h"

namespace heed::training {
namespace {

TrainerSetup checked(TrainerSetup setup) {
  validate(setup);
  return setup;
}

/// The beam size of the translations in validation; 0: validation does not translate.
int64_t beam_of(const ValidationOptions& valid) {
  const auto* translated = std::get_if<TranslateValidText>(&valid.translate);
  return translated ? translated->beam : 0;
}

/// The search options of later translations that validation does not use.
std::string shown_search(const search::SearchOptions& options) {
  if (std::holds_alternative<search::SampleMethod>(options.method)) return "search.method sample";
  const std::string groups = options.groups > 1 ? fmt::format(" in search.groups {}", options.groups) : "";
  return fmt::format("search.beam {}{}", options.beam, groups);
}

/// Whether the limits and the warm-up alone imply it, without a forecast.
bool ends_within_warmup(const TrainOptions& train) {
  const auto limit = training_limit(train);
  return limit && ends_within_warmup(train.schedule, *limit);
}

constexpr const char* kTextEnded = "the text has ended, which is read once (data.shuffle-buffer)";

/// The current epoch (pass over the corpus), counted from 1.
int64_t current_epoch(const Progress& progress) {
  return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(progress.epochs)));
}

}  // namespace

Trainer::Trainer(TrainerSetup setup, checkpoint::RunDirectory* directory, std::vector<Observer*> observers)
    : setup_(checked(std::move(setup))),
      observers_(std::move(observers)),
      optimizer_(make_optimizer(setup_)),
      stream_(make_stream(setup_)),
      carried_(text_of(setup_) ? text_of(setup_)->columns : 0),
      computer_(make_computer(setup_, carried_)),
      schedule_(setup_.train.schedule, setup_.model->output->options().d_model, training_limit(setup_.train),
                setup_.train.max_minutes),
      patience_(setup_.valid),
      scaler_(setup_.train.precision),
      skipped_(setup_.train.max_nonfinite_steps),
      checkpoints_(setup_.ranks, directory, *setup_.model, *optimizer_, setup_.train, setup_.valid.metric),
      validator_(make_validator(setup_)),
      report_timer_(setup_.silence) {
  if (!validator_) return;
  validator_->report_to(
      [this](int64_t done, int64_t all, std::string_view things) { report_validating(done, all, things); });
}

Trainer::~Trainer() = default;

TrainingOutcome Trainer::train(const StopRequest& stop) {
  start();
  try {
    if (validation_due_ && !in_bad_run()) validate(stop);
    while (true) {
      const Agreed agreed = agree(wait_for_update(stop), stop);
      if (const auto reason = stop_reason(agreed.elapsed_seconds)) return finish(*reason, stop);
      if (agreed.stop) return interrupt();
      if (agreed.waits) continue;
      if (agreed.ended) return finish(kTextEnded, stop);
      const Progress before = progress_;
      training_step(agreed.elapsed_seconds);
      after_update(before, stop);
    }
  } catch (const Stopped&) {
    return interrupt();
  }
}

void Trainer::start() {
  const auto saved = checkpoints_.resume();
  if (saved) restore(*saved);
  started_at_ = progress_;
  StartReport report{.pairs = setup_.text->pairs(),
                     .overlap = setup_.text->overlap(),
                     .valid_pairs = validator_ ? validator_->pairs() : 0,
                     .valid_translated = validator_ ? validator_->translated_lines() : 0,
                     .valid_beam = validator_ ? beam_of(setup_.valid) : 0,
                     .translation_search = shown_search(setup_.search),
                     .device = setup_.device.str(),
                     .threads = setup_.threads,
                     .replicas = computer_.replicas(),
                     .ranks = setup_.ranks->size(),
                     .products = describe_products(setup_.device.type(), setup_.train.precision),
                     .language_model = !setup_.text->has_source(),
                     .target = setup_.text->form().target,
                     .resumed = saved.has_value(),
                     .progress = progress_};
  for (const auto& item : setup_.model->named_parameters()) {
    const int64_t size = item.value().numel();
    (item.value().requires_grad() ? report.parameters : report.frozen_parameters) += size;
    if (nn::is_of_lora(item.key())) report.lora_parameters += size;
  }
  observers_.on_start(report);
  if (saved) {
    for (const OptionChange& change : setup_.changes) observers_.on_change(change, progress_);
    return;
  }
  if (setup_.ranks->leads() && ends_within_warmup(setup_.train)) {
    const Amount limit = *training_limit(setup_.train);
    log_warning(fmt::format(
        "training ends, after {}, within the warm-up of the learning rate (train.schedule.warmup)",
        limit.unit == AmountUnit::Updates ? counted(std::llround(limit.value), "step") : format_amount(limit)));
  }
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
  progress_ = saved.progress;
  restore_position(saved, conditions);
  restore_scores(saved, conditions);
  if (holds(conditions, &StateConditions::precision)) scaler_.load(saved.loss_scale);
  skipped_.load(saved.skipped);
  clock_.resume_from(saved.spent);
  meter_.load(saved.meter);
  saved_at_ = updates();
  checkpoint_due_ = resumed.scheduled;
}

bool Trainer::holds(const StateConditions& saved, std::string StateConditions::* condition) const {
  return same_conditions(saved.*condition, setup_.conditions_before.*condition, setup_.conditions.*condition);
}

/// A position in another order says only how much of the epoch is behind us, and carried states are of other lines.
void Trainer::restore_position(const TrainingState& saved, const StateConditions& conditions) {
  if (!holds(conditions, &StateConditions::order)) {
    const double share = saved.progress.epochs - static_cast<double>(saved.position.epoch);
    return stream_.seek_about(saved.position, std::clamp(share, 0.0, 1.0));
  }
  stream_.seek(saved.position);
  carried_.load(saved.carried, setup_.device, "the checkpoint");
}

/// Scores under other conditions cannot be compared: the best score and its age then say nothing now. The reductions of
/// a plateau schedule are kept, but counted from 0 again if the learning rate was changed.
void Trainer::restore_scores(const TrainingState& saved, const StateConditions& conditions) {
  const bool same_scores = holds(conditions, &StateConditions::scores);
  scores_.version = same_scores ? saved.scores.version : saved.scores.version + 1;
  if (same_scores) patience_.load(saved.patience);
  if (same_scores && !saved.scores.by_name.empty()) remember(saved.scores.by_name);
  validation_due_ = saved.validation_due && validator_;
  if (!holds(conditions, &StateConditions::schedule)) return;
  schedule_.load({.reductions = saved.schedule.reductions, .waiting = same_scores ? saved.schedule.waiting : 0});
}

TrainingState Trainer::state(const Scores& scores) const {
  return {.progress = progress_,
          .position = stream_.position(),
          .schedule = schedule_.state(),
          .patience = patience_.state(),
          .loss_scale = scaler_.state(),
          .skipped = skipped_.state(),
          .validation_due = validation_due_,
          .spent = clock_.spent(),
          .meter = meter_.state(),
          .seed = setup_.seed,
          .conditions = setup_.conditions,
          .scores = checkpoint::VersionedScores{.by_name = scores, .version = scores_.version},
          .carried = carried_.tensors()};
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
data::Waited Trainer::wait_for_update(const StopRequest& stop) {
  constexpr double kAlone = 1;  // seconds
  const auto begin = Clock::now();
  return stream_.wait([&] {
    return stop.requested() || stop_reason(clock_.spent().elapsed_seconds).has_value() ||
           (!setup_.ranks->alone() && seconds_since(begin) > kAlone);
  });
}

std::optional<std::string> Trainer::stop_reason(double elapsed_seconds) const {
  if (patience_.exhausted()) return patience_.reason();
  return limit_reached(setup_.train, progress_, elapsed_seconds);
}

void Trainer::training_step(double elapsed_seconds) {
  const data::StepBatch update = stream_.next();
  const double waited_for_data = stream_.waiting_seconds() - std::exchange(waited_, stream_.waiting_seconds());
  const auto got = Clock::now();
  const double forced = teacher_forcing(setup_.train.sampling, progress_);
  progress_.updates += 1;
  progress_.tokens += static_cast<double>(update.target_tokens);
  progress_.epochs = static_cast<double>(stream_.position().epoch) + stream_.epoch_progress();

  const StepResult computed = computer_.compute(
      update, {.number = static_cast<uint64_t>(updates()), .loss_scale = scaler_.scale(), .teacher_forcing = forced});
  if (computed.bad_parts.empty())
    carried_.advance();
  else
    carried_.forget(update);
  learning_rate_ = schedule_.learning_rate(progress_, elapsed_seconds);
  const double waited = optimizer_->shared_work().seconds_waited;
  if (computed.finite) {
    optimizer_->step(learning_rate_);
    scaler_.succeeded();
    skipped_.made();
  } else {
    skip(update, computed);
  }
  const double exchange = computed.exchange_seconds + optimizer_->shared_work().seconds_waited - waited;
  const double computing = computed.forward_seconds + computed.backward_seconds + exchange;
  meter_.add(update, computed,
             {.data = waited_for_data,
              .forward = computed.forward_seconds,
              .backward = computed.backward_seconds,
              .exchange = exchange,
              .update = seconds_since(got) - computing});
}

void Trainer::skip(const data::StepBatch& update, const StepResult& computed) {
  if (computed.bad_parts.empty() && scaler_.overflowed()) return skipped_.overflowed();
  observers_.on_warning(skipped_.bad(updates(), update, computed, stream_.pairs()) + "; the step is skipped");
}

// After a bad update the parameters are still those that caused it. A validation that is due waits until the run of bad
// updates ends; a checkpoint that is due is skipped until the next one.
void Trainer::after_update(const Progress& before, const StopRequest& stop) {
  if (is_due(setup_.log.every, before, progress_))
    report_training();
  else if (report_timer_.is_due())
    report_progress();
  report_forecast();
  checkpoint_due_ = is_due(setup_.valid.every, before, progress_);
  validation_due_ |= checkpoint_due_ && validator_;
  if (setup_.train.save_every) checkpoint_due_ |= is_due(*setup_.train.save_every, before, progress_);
  checkpoint_due_ = (checkpoint_due_ || validation_due_) && !in_bad_run();
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
                    updates()));
  }
}

TrainingReport Trainer::training_report() const {
  const TimeSpent spent = clock_.spent();
  return {.progress = progress_,
          .epoch = current_epoch(progress_),
          .learning_rate = learning_rate_,
          .bytes_sent = computer_.bytes_sent() + optimizer_->shared_work().bytes_sent,
          .elapsed_seconds = spent.elapsed_seconds,
          .remaining_seconds = remaining_seconds(setup_.train, started_at_, clock_.process_spent().elapsed_seconds,
                                                 progress_, spent.elapsed_seconds),
          .skipped_updates = skipped_.state().skipped};
}

void Trainer::report_training() {
  TrainingReport report = training_report();
  meter_.report(report);
  observers_.on_training(report);
  report_timer_.reported();
}

void Trainer::report_progress() {
  TrainingReport report = training_report();
  meter_.preview(report);
  observers_.on_progress(report);
  report_timer_.reported();
}

void Trainer::report_forecast() {
  const auto made = forecaster_.after_update(setup_.train, now());
  if (!made) return;
  if (made->within_warmup && !ends_within_warmup(setup_.train))  // otherwise it is known from the start
    observers_.on_warning("at this speed " + forecast_text(*made));
  else
    observers_.on_forecast(forecast_text(*made));
}

void Trainer::report_validating(int64_t done, int64_t all, std::string_view things) {
  if (!report_timer_.is_due()) return;
  observers_.on_validating({.progress = progress_, .done = done, .all = all, .things = things});
  report_timer_.reported();
}

ValidationReport Trainer::score(const StopRequest& stop) {
  require_finite_parameters();
  const auto start = Clock::now();
  ValidationScores made = validator_->validate(stop);
  remember(made.scores);
  return {.progress = progress_,
          .epoch = current_epoch(progress_),
          .scores = std::move(made.scores),
          .signature = std::move(made.signature),
          .chrf_signature = std::move(made.chrf_signature),
          .stopping_metric = metric_name(setup_.valid.metric),
          .patience = setup_.valid.patience,
          .seconds = seconds_since(start),
          .elapsed_seconds = clock_.spent().elapsed_seconds,
          .samples = std::move(made.samples)};
}

void Trainer::remember(const Scores& scores) {
  scores_.by_name = scores;
  validated_at_ = updates();
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
  schedule_.validated(report.best);
  observers_.on_validation(report);
  report_timer_.reported();
  try_to_save(report.scores);
}

void Trainer::save(const Scores& scores) {
  require_finite_parameters();
  const SaveReason reason{.scheduled = checkpoint_due_, .scored_off_schedule = scored_off_schedule_ && !scores.empty()};
  std::string saved;
  checkpoints_.save(state(scores), reason, [&](const std::string& path) {
    observers_.before_checkpoint(path, progress_);
    saved = path;
  });
  saved_at_ = updates();
  observers_.on_checkpoint(saved, progress_);
}

void Trainer::try_to_save(const Scores& scores) {
  require_finite_parameters();
  try {
    save(scores);
  } catch (const checkpoint::DirectoryMoved&) {
    throw;  // nothing more can be saved
  } catch (const std::exception& error) {
    const std::string message = fmt::format("the checkpoint of step {} could not be saved ({}); training continues",
                                            updates(), sentence_of(error));
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
  if (saved_at_ != updates()) save(validated_at_ == updates() ? scores_.by_name : Scores{});
}

// EarlyStopping and plateau ignore this validation: a run resumed with a later limit would not have validated here.
void Trainer::validate_last(const StopRequest& stop) {
  ValidationReport report = score(stop);
  scored_off_schedule_ = true;
  EarlyStopping patience = patience_;
  judge(report, patience);
  observers_.on_validation(report);
  saved_at_ = -1;  // the scored checkpoint replaces the unscored one of this update
}

TrainingOutcome Trainer::finish(const std::string& reason, const StopRequest& stop) {
  const auto limit = patience_.exhausted() ? std::nullopt : reached_limit(setup_.train, now());
  observers_.on_stop(reason, progress_);
  if (validator_ && validated_at_ != updates()) validate_last(stop);
  save_the_end();
  if (!scores_.by_name.empty()) try_to_publish();  // an average takes time
  const auto score = [&] { return validator_->validate(stop).scores; };
  FinalReport report = checkpoints_.finish(scores_.version, validator_ ? ScoreModel(score) : ScoreModel());
  report.progress = progress_;
  report.spent = clock_.spent();
  report.still_improving = limit && improved_;
  report.learned_little = little_learned(report);
  observers_.on_finish(report);
  tell_text();
  return {.finished = true, .reason = reason, .progress = progress_, .final = report, .limit = limit};
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
  observers_.on_stop(reason, progress_);
  tell_text();
  return {.finished = false, .reason = reason, .progress = progress_, .final = std::nullopt, .limit = std::nullopt};
}

void Trainer::tell_text() const {
  if (setup_.ranks->leads()) setup_.text->tell(stream_.position());
}

int64_t Trainer::updates() const { return std::llround(progress_.updates); }

}  // namespace heed::training
