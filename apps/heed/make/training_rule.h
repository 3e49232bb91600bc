// The rule of `heed make`: which model and training suit a text, a machine and a time. All numbers of the rule are here
// and in training_rule.cpp. docs/guide/make.md explains them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::apps::make {

/// A Transformer's size, and what it needs to be better than the next smaller one.
struct ModelSize {
  std::string_view name;
  int64_t width = 0;       ///< arch.d-model
  int64_t layers = 0;      ///< of the encoder, and of the decoder
  int64_t hidden = 0;      ///< width of the feed-forward networks
  double text_tokens = 0;  ///< the training text has at least this many target tokens;
  double epochs = 0;       ///< and there is time for this many passes over it,
  double seen_tokens = 0;  ///< or for a training on this many target tokens
};

/// From small to large.
inline constexpr auto kModelSizes = std::to_array<ModelSize>({
    // The best of four sizes for 29,000 pairs (Wu et al. 2021, https://aclanthology.org/2021.acl-long.480, table 2).
    {.name = "tiny", .width = 128, .layers = 4, .hidden = 256},
    // Four times the computation of tiny. Short or few sentences do not fill it.
    {.name = "mini", .width = 256, .layers = 4, .hidden = 1024, .text_tokens = 6e5, .epochs = 20, .seen_tokens = 4e7},
    // The preset transformer-small, fairseq's model for 160,000 pairs of IWSLT.
    {.name = "small",
     .width = 512,
     .layers = 6,
     .hidden = 1024,
     .text_tokens = 3e6,
     .epochs = 15,
     .seen_tokens = 1.5e8},
});

/// Throws std::logic_error if no size has this name.
const ModelSize& model_size(std::string_view name);
/// Whether the training text is large enough. text_tokens: its target tokens.
bool has_text_for(const ModelSize& size, double text_tokens);
/// The target tokens that a training of this size must see.
double needed_tokens(const ModelSize& size, double text_tokens);

/// The largest vocabulary for a training text.
int64_t vocabulary_size(int64_t pairs);
/// The pairs of the validation text, and of the test text.
int64_t held_out_pairs(int64_t pairs, double seconds);

/// A training, as options of `heed train`.
struct TrainingPlan {
  std::string size{kModelSizes[0].name};
  int64_t decoder_layers = kModelSizes[0].layers;
  int64_t vocabulary = 8000;
  std::string precision = "fp32";
  std::string tokenize = "13a";  ///< of BLEU
  int64_t batch_tokens = 4000;
  double dropout = 0.1;
  double r_drop = 0;
  int64_t r_drop_start = 0;  ///< step
  int64_t steps = 1000;
  int64_t warmup = 100;
  int64_t valid_every = 100;
  int64_t save_every = 100;
  double minutes = 0;  ///< a second limit; 0: none
};
void describe_members(TrainingPlan& plan, auto& visit) {
  visit("size", plan.size);
  visit("decoder-layers", plan.decoder_layers);
  visit("vocabulary", plan.vocabulary);
  visit("precision", plan.precision);
  visit("tokenize", plan.tokenize);
  visit("batch-tokens", plan.batch_tokens);
  visit("dropout", plan.dropout);
  visit("r-drop", plan.r_drop);
  visit("r-drop-start", plan.r_drop_start);
  visit("steps", plan.steps);
  visit("warmup", plan.warmup);
  visit("valid-every", plan.valid_every);
  visit("save-every", plan.save_every);
  visit("minutes", plan.minutes);
}

/// A text and a time, as the rule sees them.
struct TrainingBudget {
  double text_tokens = 0;        ///< target tokens of the training text
  double seconds = 0;            ///< for training steps
  double tokens_per_second = 0;  ///< target tokens, without R-Drop
};

/// Sets the batch size, dropout and R-Drop for a budget.
void choose_training(TrainingPlan& plan, const TrainingBudget& budget);
/// Sets the number of steps and what depends on it. steps_per_second: with all other options of the plan, R-Drop from
/// the first step.
void choose_steps(TrainingPlan& plan, const TrainingBudget& budget, double steps_per_second, double epoch_steps,
                  int64_t validations);

/// The plan as a configuration file for `heed train --config`.
std::string settings_of(const TrainingPlan& plan);
/// Why the plan is as it is: a sentence for each choice.
std::vector<std::string> reasons_for(const TrainingPlan& plan, const TrainingBudget& budget);

}  // namespace heed::apps::make
