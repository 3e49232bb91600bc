#include "heed_torch/config/setup/start_rules.h"

#include <optional>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/model_directory/manifest.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/resume_rules.h"
#include "heed_torch/config/setup/run_tokenizers.h"

namespace heed::config {
namespace {

/// The forbidden differences of the options from those of the previous start in this directory.
std::vector<std::string> option_differences(const checkpoint::RunDirectory& directory, const RunOptions& options) {
  return conflicts(read_saved_options(directory.file(kConfigFile)), options);
}

bool is_of_validation(const std::string& name) { return name.starts_with("valid-"); }

/// The first difference of the text from that of the previous start. The names of its files do not matter.
std::optional<std::string> text_difference(const Checksums& before, const Checksums& now) {
  for (const auto& [name, sum] : before) {
    const auto found = now.find(name);
    if (found == now.end()) return name + " is left out now";
    if (found->second != sum) return name + " has changed since";
  }
  for (const auto& entry : now) {
    if (!before.contains(entry.first)) return entry.first + " was not there";
  }
  return std::nullopt;
}

void refuse_other_options(const checkpoint::RunDirectory& directory, const RunOptions& options) {
  const auto found = option_differences(directory, options);
  if (found.empty()) return;
  throw ConfigError(
      fmt::format("{}: the training there began with other options that must stay: {}; leave them out, or use another "
                  "directory for a new training",
                  directory.path(), fmt::join(found, ", ")));
}

/// Refuses options that were edited by hand: they would be taken for those that the training began with.
void refuse_edited_options(const checkpoint::RunDirectory& directory) {
  const auto& files = directory.manifest().files;
  const auto written = files.find(kConfigFile);
  const std::string path = directory.file(kConfigFile);
  if (written == files.end() || checkpoint::record_of(path) == written->second) return;
  throw CheckpointError(path,
                        "has changed since the training there wrote it: restore it, and give other options on the "
                        "command line");
}

/// Refuses a limit below the steps already made: it would be saved as the limit of the whole training.
void refuse_fewer_steps(const checkpoint::RunDirectory& directory, const training::TrainOptions& options) {
  const auto checkpoints = checkpoint::list_checkpoints(directory.path());
  const int64_t done = checkpoints.empty() ? 0 : checkpoints.back().step;
  if (!options.max_steps || *options.max_steps >= done) return;
  throw ConfigError("train.max-steps", fmt::format("must be at least {}, the steps that the training in {} has made, "
                                                   "but is {}",
                                                   done, directory.path(), *options.max_steps));
}

}  // namespace

Checksums training_text(Checksums sums) {
  sums.erase("tokenizers");  // listed there by the first versions
  std::erase_if(sums, [](const auto& entry) { return is_of_validation(entry.first); });
  return sums;
}

Checksums validation_text(Checksums sums) {
  std::erase_if(sums, [](const auto& entry) { return !is_of_validation(entry.first); });
  return sums;
}

void refuse_other_start(const checkpoint::RunDirectory& directory, const RunOptions& options) {
  refuse_edited_options(directory);
  refuse_other_options(directory, options);
  refuse_fewer_steps(directory, options.train);
}

void refuse_to_replace_model(const checkpoint::RunDirectory& directory) {
  if (directory.manifest().origin.chosen.empty()) return;
  throw ConfigError("model", fmt::format("must be another directory: {} has a finished model, but no checkpoints from "
                                         "which to resume its training",
                                         directory.path()));
}

void refuse_other_text(const checkpoint::RunDirectory& directory, const Checksums& sums,
                       const data::PairFilters& filters) {
  if (directory.manifest().corpus.empty()) {
    throw Error(
        fmt::format("{}/manifest.json is missing, or does not say with which text the training there began: "
                    "restore it, or train in another directory",
                    directory.path()));
  }
  const Checksums& before = directory.manifest().corpus;
  auto found = text_difference(training_text(before), training_text(sums));
  const Checksums valid_before = validation_text(before);
  // Another validation text may replace it. Without any, the best score so far would be lost silently.
  if (!found && !valid_before.empty() && validation_text(sums).empty())
    found = valid_before.begin()->first + " is left out now";
  if (found) throw Error(fmt::format("{}: the training there began with other text: {}", directory.path(), *found));
  if (filters.leaking == data::FilterAction::Keep) return;
  found = text_difference(valid_before, validation_text(sums));
  if (!found) return;
  throw Error(
      fmt::format("{}: the training there began with other validation text, whose pairs are left out of the training "
                  "text (data.leaking): {}",
                  directory.path(), *found));
}

bool has_fitting_tokenizers(const checkpoint::RunDirectory& directory, const RunOptions& options,
                            const Checksums& sums) {
  return has_tokenizers(directory) && !options.base.gives_tokenizers() &&
         std::holds_alternative<LearnedTokenizers>(options.text.tokenizers) &&
         !text_difference(training_text(directory.manifest().corpus), training_text(sums)) &&
         option_differences(directory, options).empty();
}

}  // namespace heed::config
