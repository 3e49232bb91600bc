#include "heed_torch/training/optimization/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "heed/core/error.h"

namespace heed::training {

namespace {

constexpr std::string_view kWarmupHelp = "warm-up: the learning rate grows linearly from 0 over this amount; 0: off";

template <class Options>
void describe_rate(Options& options, OptionVisitor& visit, std::string_view help = "highest learning rate") {
  visit("learning-rate", options.learning_rate, help, at_least(0));
  visit("warmup", options.warmup, kWarmupHelp, at_least(0));
}

template <class Options>
void describe_decay(Options& options, OptionVisitor& visit) {
  describe_rate(options, visit);
  visit("length", options.length,
        "end of the decay; none: the limit of training (train.max-steps, else -tokens, else -epochs), or "
        "train.max-minutes if that comes first",
        at_least(0));
  visit("final-ratio", options.final_ratio, "final learning rate as a share of the highest", between(0, 1));
}

}  // namespace

void describe(ConstantSchedule& options, OptionVisitor& visit) { describe_rate(options, visit); }

void describe(InverseSqrtSchedule& options, OptionVisitor& visit) { describe_rate(options, visit); }

void describe(NoamSchedule& options, OptionVisitor& visit) {
  visit("factor", options.factor, "multiplies the formula of Vaswani et al. 2017", at_least(0));
  visit("warmup", options.warmup, "warm-up: steps until the highest learning rate", at_least(1));
}

void describe(LinearSchedule& options, OptionVisitor& visit) { describe_decay(options, visit); }

void describe(CosineSchedule& options, OptionVisitor& visit) { describe_decay(options, visit); }

void describe(WsdSchedule& options, OptionVisitor& visit) {
  describe_decay(options, visit);
  visit("decay-share", options.decay_share, "share of the length, at its end, in which the learning rate falls",
        between(0, 1));
}

void describe(PlateauSchedule& options, OptionVisitor& visit) {
  describe_rate(options, visit);
  visit("factor", options.factor, "factor on the learning rate when validation stops improving", between(0, 1));
  visit("patience", options.patience, "validations in a row without improvement before the learning rate falls",
        at_least(1));
  visit("minimum", options.minimum, "lowest learning rate", at_least(0));
}

void describe(StepSchedule& options, OptionVisitor& visit) {
  describe_rate(options, visit, "highest learning rate; sgd wants a much higher one, such as 1");
  visit("factor", options.factor, "factor on the learning rate at each interval", between(0, 1));
  visit("start", options.start, "amount of training after which the learning rate falls for the first time",
        at_least(0));
  visit("every", options.every, "interval at which it falls after that", above(0));
}

namespace {

constexpr const char* kWarmupKey = "train.schedule.warmup";

bool ends_within(const Amount& warmup, const Amount& length) {
  return warmup.unit == length.unit && length.value <= warmup.value;
}

/// The limits of training; a schedule without a length uses them.
struct Limits {
  const std::optional<Amount>& amount;
  const std::optional<double>& minutes;
};

/// Fills in a missing length and rejects values that the formula cannot use.
template <class Options>
void resolve(Options& options, const Limits& limits) {
  if constexpr (requires { options.length; }) {
    if (!options.length) options.length = limits.amount;
    if (!options.length && !limits.minutes) {
      throw ConfigError("train.schedule.length",
                        "must be given when training has no limit in steps, tokens, epochs or minutes");
    }
    if (options.length && options.length != limits.amount && ends_within(options.warmup, *options.length)) {
      throw ConfigError("train.schedule.length", "must be more than the warm-up, `" + format_amount(options.warmup) +
                                                     "`, but is `" + format_amount(*options.length) + "`");
    }
  }
}

void resolve(InverseSqrtSchedule& options, const Limits&) {
  if (options.warmup.value <= 0) {
    throw ConfigError(kWarmupKey, "must be above 0 for inverse-sqrt: its rate falls from there");
  }
}

void resolve(NoamSchedule& options, const Limits&) {
  if (options.warmup.unit != AmountUnit::Steps) {
    throw ConfigError(kWarmupKey, "must be in steps for noam, whose formula counts them, but is `" +
                                      format_amount(options.warmup) + "`");
  }
}

void resolve(PlateauSchedule& options, const Limits&) {
  if (options.minimum < options.learning_rate) return;
  throw ConfigError("train.schedule.minimum", "must be below train.schedule.learning-rate, or the rate never falls");
}

void resolve(StepSchedule& options, const Limits&) {
  if (options.every.value <= 0) throw ConfigError("train.schedule.every", "must be above 0");
  if (options.every.unit != options.start.unit) {
    throw ConfigError("train.schedule.every",
                      "must be in the unit of train.schedule.start, `" + format_amount(options.start) + "`");
  }
}

/// Whether its length is that of training.
bool follows_limit(const ScheduleOptions& options) {
  return std::visit(
      [](const auto& held) {
        if constexpr (requires { held.length; }) return !held.length.has_value();
        return false;
      },
      options);
}

/// What a rate depends on apart from the options.
struct Place {
  Progress progress;
  double d_model;
  int64_t reductions;  ///< of plateau
  double time_share;   ///< share of the time limit that is over, from 0 to 1; for decays that follow it
};

/// How much of the way from the end of the warm-up to `length` is done, from 0 to 1.
double decayed(const Amount& warmup, const Amount& length, const Progress& progress) {
  if (ends_within(warmup, length)) return 0;
  const double begin = warmup.unit == length.unit ? warmup.value : 0;
  return std::clamp((progress.in(length.unit) - begin) / (length.value - begin), 0.0, 1.0);
}

template <class Options>
double decayed(const Options& options, const Place& place) {
  if (!options.length) return place.time_share;
  return std::max(place.time_share, decayed(options.warmup, *options.length, place.progress));
}

template <class Options>
double between_rates(const Options& options, double share) {
  return options.learning_rate * (options.final_ratio + (1 - options.final_ratio) * share);
}

double after_warmup(const ConstantSchedule& options, const Place&) { return options.learning_rate; }

double after_warmup(const InverseSqrtSchedule& options, const Place& place) {
  const double s = std::max(place.progress.in(options.warmup.unit), options.warmup.value);
  return options.learning_rate * std::sqrt(options.warmup.value / s);
}

// The paper's min(s^-1/2, s w^-3/2) is min(1, s/w) max(s, w)^-1/2.
double after_warmup(const NoamSchedule& options, const Place& place) {
  return options.factor / std::sqrt(place.d_model * std::max(place.progress.steps, options.warmup.value));
}

double after_warmup(const LinearSchedule& options, const Place& place) {
  return between_rates(options, 1 - decayed(options, place));
}

double after_warmup(const CosineSchedule& options, const Place& place) {
  return between_rates(options, (1 + std::cos(std::numbers::pi * decayed(options, place))) / 2);
}

double after_warmup(const WsdSchedule& options, const Place& place) {
  double done = place.time_share;  // of the length
  if (options.length) {
    const double of_length = place.progress.in(options.length->unit) / options.length->value;
    done = std::clamp(of_length, done, 1.0);
  }
  const double stable = 1 - options.decay_share;
  const double decayed = done > stable ? (done - stable) / options.decay_share : 0;
  return between_rates(options, 1 - std::sqrt(decayed));
}

double after_warmup(const PlateauSchedule& options, const Place& place) {
  const double reduced = options.learning_rate * std::pow(options.factor, static_cast<double>(place.reductions));
  return std::max(reduced, options.minimum);
}

double after_warmup(const StepSchedule& options, const Place& place) {
  const double beyond = std::max(0.0, place.progress.in(options.start.unit) - options.start.value);
  const double steps = std::ceil(beyond / options.every.value);
  return options.learning_rate * std::pow(options.factor, steps);
}

double warmup_share(const Amount& warmup, const Progress& progress) {
  return warmup.value > 0 ? std::min(1.0, progress.in(warmup.unit) / warmup.value) : 1.0;
}

}  // namespace

ScheduleOptions resolved(ScheduleOptions options, const std::optional<Amount>& limit,
                         const std::optional<double>& max_minutes) {
  std::visit([&](auto& held) { resolve(held, Limits{.amount = limit, .minutes = max_minutes}); }, options);
  return options;
}

Amount warmup_of(const ScheduleOptions& options) {
  return std::visit([](const auto& held) { return held.warmup; }, options);
}

bool ends_within_warmup(const ScheduleOptions& options, const Amount& length) {
  return ends_within(warmup_of(options), length);
}

Schedule::Schedule(const ScheduleOptions& options, int64_t d_model, std::optional<Amount> limit,
                   std::optional<double> max_minutes)
    : options_(resolved(options, limit, max_minutes)),
      d_model_(static_cast<double>(d_model)),
      minutes_(follows_limit(options) ? max_minutes : std::nullopt) {}

double Schedule::learning_rate(const Progress& progress, double seconds) const {
  const double time_share = minutes_ ? std::min(1.0, seconds / (60 * *minutes_)) : 0;
  const Place place{progress, d_model_, state_.reductions, time_share};
  return std::visit([&](const auto& held) { return warmup_share(held.warmup, progress) * after_warmup(held, place); },
                    options_);
}

void Schedule::validated(bool better) {
  const auto* plateau = std::get_if<PlateauSchedule>(&options_);
  if (plateau == nullptr) return;
  state_.waiting = better ? 0 : state_.waiting + 1;
  if (state_.waiting < plateau->patience) return;
  state_.waiting = 0;
  ++state_.reductions;
}

}  // namespace heed::training
