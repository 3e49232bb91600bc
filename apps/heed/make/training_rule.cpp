#include "make/training_rule.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"

namespace heed::apps::make {
namespace {

// A training on fewer than 15 passes over the text hardly overfits. From 35 on, R-Drop is worth its second pass through
// the network for the later part of the steps: recipes/multi30k/speedrun.sh reaches 42 BLEU in the time of 40 passes.
constexpr double kFewEpochs = 15, kManyEpochs = 35, kMostDropoutEpochs = 70;
constexpr double kLightDropout = 0.1, kUsualDropout = 0.2, kStrongDropout = 0.3;
constexpr double kRDrop = 3;
constexpr double kRDropCost = 2;       ///< time of a step
constexpr double kStepsBefore = 0.38;  ///< share of the steps without R-Drop
/// The time of an average step, if that of a step with R-Drop is 1.
constexpr double kAverageStep = kStepsBefore / kRDropCost + 1 - kStepsBefore;
/// With more passes a text has nothing more to teach.
constexpr double kMostEpochs = 300;

/// A training needs at least about this many steps: a short one has smaller batches.
constexpr double kFewSteps = 1500;
constexpr auto kBatchTokens = std::to_array<int64_t>({4000, 2000, 1000});

/// The highest learning rate of Muon, times the width: 0.015 for 128, 0.00375 for 512.
constexpr double kRateTimesWidth = 1.92;
constexpr int64_t kHeads = 4;

constexpr double kSaveSeconds = 120;

double epochs_of(const TrainingBudget& budget) {
  return budget.tokens_per_second * budget.seconds / std::max(1.0, budget.text_tokens);
}

/// A whole number of the same order that is easy to read: 1,234 becomes 1,230.
int64_t rounded(double value) {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(1.0, value))) - 2));
  return std::max<int64_t>(1, std::llround(std::floor(value / unit) * unit));
}

/// The network, the vocabulary and the batches of a plan.
std::string network_settings(const TrainingPlan& plan) {
  const ModelSize& size = model_size(plan.size);
  return fmt::format(
      R"(# Chosen by `heed make`; its page, make.html, says why. `heed train --config` reads it.
preset = "transformer-tiny"

[text]
vocab-size = {}

[data]
batch-tokens = {}

[arch]
d-model = {}
dropout = {}

[arch.encoder]
layers = {}
heads = {}
positions = "rotary"

[arch.encoder.feed-forward]
hidden = {}

[arch.decoder]
layers = {}
heads = {}
positions = "rotary"

[arch.decoder.feed-forward]
hidden = {}
)",
      plan.vocabulary, plan.batch_tokens, size.width, plan.dropout, size.layers, kHeads, size.hidden,
      plan.decoder_layers, kHeads, size.hidden);
}

}  // namespace

const ModelSize& model_size(std::string_view name) {
  const auto* found = std::ranges::find(kModelSizes, name, &ModelSize::name);
  check(found != kModelSizes.end(), "a size that the rule does not have");
  return *found;
}

bool has_text_for(const ModelSize& size, double text_tokens) { return text_tokens >= size.text_tokens; }

double needed_tokens(const ModelSize& size, double text_tokens) {
  return std::min(size.epochs * text_tokens, size.seen_tokens);
}

int64_t vocabulary_size(int64_t pairs) {
  if (pairs < 5'000) return 2000;
  if (pairs < 20'000) return 4000;
  if (pairs < 200'000) return 8000;
  return pairs < 1'000'000 ? 16'000 : 32'000;
}

int64_t held_out_pairs(int64_t pairs, double seconds) {
  constexpr double kShortTime = 20 * 60;  // seconds: translating 1,000 lines would take too much of less
  return std::clamp<int64_t>(pairs / 20, 1, seconds < kShortTime ? 300 : 1000);
}

void choose_training(TrainingPlan& plan, const TrainingBudget& budget) {
  const double epochs = epochs_of(budget);
  const bool many = epochs >= kManyEpochs;
  plan.dropout = epochs >= kMostDropoutEpochs ? kStrongDropout : epochs >= kFewEpochs ? kUsualDropout : kLightDropout;
  plan.r_drop = many ? kRDrop : 0;
  const double tokens = budget.tokens_per_second * budget.seconds / (many ? kRDropCost * kAverageStep : 1);
  const auto* large_enough = std::ranges::find_if(
      kBatchTokens, [&](int64_t batch) { return tokens / static_cast<double>(batch) >= kFewSteps; });
  plan.batch_tokens = large_enough == kBatchTokens.end() ? kBatchTokens.back() : *large_enough;
}

void choose_steps(TrainingPlan& plan, const TrainingBudget& budget, double steps_per_second, double epoch_steps,
                  int64_t validations) {
  const double most = kMostEpochs * std::max(1.0, epoch_steps);
  const bool r_drop = plan.r_drop > 0;
  plan.steps = rounded(std::min(steps_per_second * budget.seconds / (r_drop ? kAverageStep : 1), most));
  plan.r_drop_start = r_drop ? rounded(kStepsBefore * static_cast<double>(plan.steps)) : 0;
  plan.warmup = std::clamp<int64_t>(plan.steps / 10, 1, 2000);
  plan.valid_every = std::max<int64_t>(1, (plan.steps + validations - 1) / validations);
  plan.save_every = std::min(plan.valid_every, std::max<int64_t>(1, std::llround(steps_per_second * kSaveSeconds)));
}

std::string settings_of(const TrainingPlan& plan) {
  std::string text = network_settings(plan);
  text += fmt::format(R"(
[train]
max-steps = {}
r-drop = {}
r-drop-start = "{}"
precision = "{}"
save-every = {}
)",
                      plan.steps, plan.r_drop, plan.r_drop_start, plan.precision, plan.save_every);
  if (plan.minutes > 0) text += fmt::format("max-minutes = {:.2f}\n", plan.minutes);
  // The length is given, so that the learning rate depends on the step and not on the clock.
  text += fmt::format(R"(
[train.optimizer]
type = "muon"

[train.schedule]
type = "cosine"
learning-rate = {:.3g}
warmup = {}
length = {}

[valid]
every = {}
patience = 0
tokenize = "{}"
)",
                      kRateTimesWidth / static_cast<double>(model_size(plan.size).width), plan.warmup, plan.steps,
                      plan.valid_every, plan.tokenize);
  return text;
}

std::vector<std::string> reasons_for(const TrainingPlan& plan, const TrainingBudget& budget) {
  const double epochs = epochs_of(budget);
  std::vector<std::string> reasons;
  reasons.push_back(
      fmt::format("{} target tokens per second and {} for training steps are about {} passes over the {} target tokens "
                  "of the training text, without R-Drop.",
                  format_count(std::llround(budget.tokens_per_second)), format_duration(budget.seconds),
                  epochs < 10 ? fmt::format("{:.1f}", epochs) : format_count(std::llround(epochs)),
                  format_count(std::llround(budget.text_tokens))));
  if (plan.r_drop > 0) {
    reasons.push_back(fmt::format(
        "Dropout {}, and R-Drop from step {} on: from {} passes on, a model of this size would learn the text by heart "
        "without them. R-Drop doubles the time of a step, so it begins late.",
        plan.dropout, format_count(plan.r_drop_start), kManyEpochs));
  } else {
    reasons.push_back(
        fmt::format("Dropout {} without R-Drop, which doubles the time of a step and pays from {} passes "
                    "on.",
                    plan.dropout, kManyEpochs));
  }
  reasons.push_back(
      fmt::format("Batches of {} target tokens, so that there are enough steps; {} steps, with a "
                  "learning rate that falls to 0 at the last one.",
                  format_count(plan.batch_tokens), format_count(plan.steps)));
  reasons.push_back(
      fmt::format("A vocabulary of at most {} subwords, by the number of pairs.", format_count(plan.vocabulary)));
  return reasons;
}

}  // namespace heed::apps::make
