#include "next_steps.h"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "heed/core/files/regular_file.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/shell_word.h"
#include "heed/model_directory/manifest.h"
#include "heed_torch/interchange/interchange.h"
#include "heed_torch/training/limits.h"

namespace heed::apps {
namespace {

/// The options for a new source of the kind that the model was trained with.
std::string next_source(const data::CorpusFiles& files) {
  std::string source;
  if (!files.vectors.empty()) source += " --source-vectors your-vectors.npy";
  if (!files.pictures.empty()) source += " --source-images your-images.list";
  if (!files.sounds.empty()) source += " --source-audio your-audio.list";
  return files.has_vectors() && !files.has_source() ? source : source + " < your-text";
}

/// Suggests twice the limit. A stream is not stored, so it must be given again.
void show_continuation(const config::RunOptions& options, const training::TrainingOutcome& outcome) {
  if (!outcome.limit || !(outcome.final->still_improving || outcome.final->learned_little)) return;
  const training::Limit& limit = *outcome.limit;
  const std::string stream =
      data::shuffle_buffer_of(options.data.stream) ? ", given the same stream from its beginning" : "";
  const bool reported = outcome.final->learned_little.has_value();  // the warning says whether it still improves
  log_info(fmt::format("{}to continue the training{}, run", reported ? "" : "still improving: ", stream));
  log_info(fmt::format("  heed train --model {} --{} {}", shell_path(options.model), option_of(limit.unit),
                       format_amount({.value = 2 * limit.value})));
}

}  // namespace

std::string possible_exports(const config::RunOptions& options, const text::Tokenizers& tokenizers) {
  if (options.task != config::Task::Translation) return {};
  std::vector<std::string> possible;
  std::string obstacles;
  for (const auto& [format, name] : option_names(interchange::Format{})) {
    if (const auto obstacle = interchange::export_obstacle(format, options.arch, tokenizers))
      obstacles += fmt::format("; {} cannot hold {}", name, *obstacle);
    else
      possible.emplace_back(name);
  }
  return (possible.empty() ? "not possible" : "to " + listed(possible, "and")) + obstacles;
}

void show_resumption(const config::RunOptions& options, const training::TrainingOutcome& outcome) {
  std::vector<std::string> limits;
  for (const training::Limit& limit : limits_of(options.train)) limits.push_back(amount_text(limit.unit, limit.value));
  log_info(fmt::format("saved after step {}{}; the same command resumes from here",
                       format_count(std::llround(outcome.progress.steps)),
                       limits.empty() ? "" : fmt::format(" (the training ends after {})", listed(limits, "or"))));
  if (is_regular_file(options.model + "/" + checkpoint::kPublishedModel)) {
    log_info(fmt::format("{} can be used already, but is not trained to the end", options.model));
  }
}

void show_next_steps(const config::RunOptions& options, const training::TrainingOutcome& outcome) {
  show_continuation(options, outcome);
  const std::string model = shell_path(options.model);
  const config::Task task = options.task;
  log_info(fmt::format("the model is in {}; what to do next:", options.model));
  if (task == config::Task::LanguageModel) {
    log_info(fmt::format("  heed score --model {} < your-text > log-probabilities", model));
    log_info(fmt::format("  heed generate --model {} --prompt 'The beginning of'", model));
    return;
  }
  if (!config::writes_text(task)) {
    log_info(fmt::format("  heed predict --model {}{} > predictions", model, next_source(options.corpus)));
    log_info(fmt::format("  heed evaluate --reference right-ones --metric {} predictions",
                         task == config::Task::Regression ? "mse" : "accuracy"));
    return;
  }
  log_info(fmt::format("  heed translate --model {}{} > translations", model, next_source(options.corpus)));
  log_info("  heed evaluate --reference references translations");
}

}  // namespace heed::apps
