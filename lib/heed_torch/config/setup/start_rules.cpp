#include "heed_torch/config/setup/start_rules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"
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

/// A text of a training: checksums by the names of its files ("source file 1"), and the paths that messages show.
struct NamedText {
  Checksums sums;
  std::map<std::string, std::string> paths;

  /// "`source` train.en and `target` train.de"
  std::string description() const {
    std::vector<std::string> files;
    for (const auto& [name, sum] : sums) files.push_back(shown(name));
    return listed(files, "and");
  }
  /// "`source` train.en"
  std::string shown(const std::string& name) const {
    const auto path = paths.find(name);
    return path == paths.end() ? name : fmt::format("`{}` {}", name.substr(0, name.find(' ')), path->second);
  }
};

/// The paths by the names of checksums() in heed/data/encoded/index_file.h.
void add_paths(const data::CorpusFiles& files, const std::string& prefix, std::map<std::string, std::string>& paths) {
  std::map<std::string, int64_t> count;
  for (const auto& [side, path] : data::all_files(files)) {
    const std::string name = prefix + std::string(side);
    paths[fmt::format("{} file {}", name, ++count[name])] = data::name_of(path, files);
  }
}

NamedText named_text(Checksums sums, const RunOptions& options) {
  NamedText text{.sums = std::move(sums), .paths = {}};
  add_paths(options.corpus, "", text.paths);
  add_paths(options.valid_corpus, "valid-", text.paths);
  return text;
}

/// Whether one text is in files of pairs, the other in a file for each side.
bool have_other_forms(const NamedText& before, const NamedText& now) {
  const auto has_pairs = [](const NamedText& text) {
    return std::ranges::any_of(text.sums,
                               [](const auto& entry) { return entry.first.find("pairs file") != entry.first.npos; });
  };
  return !before.sums.empty() && !now.sums.empty() && has_pairs(before) != has_pairs(now);
}

/// The first difference of the text from that of the previous start. The paths of its files do not matter.
std::optional<std::string> text_difference(const NamedText& before, const NamedText& now) {
  if (before.sums == now.sums) return std::nullopt;
  if (have_other_forms(before, now))
    return fmt::format("it began with {}, but now there is {}", before.description(), now.description());
  for (const auto& [name, sum] : before.sums) {
    const auto found = now.sums.find(name);
    if (found == now.sums.end()) return before.shown(name) + " is left out now";
    if (found->second == sum) continue;
    const std::string was = before.shown(name), is = now.shown(name);
    return was == is ? is + " has changed since" : fmt::format("{} has other content than {}", is, was);
  }
  for (const auto& entry : now.sums) {
    if (!before.sums.contains(entry.first)) return now.shown(entry.first) + " was not there";
  }
  return std::nullopt;
}

/// Refuses to begin with a model where another training is.
void refuse_other_base(const checkpoint::RunDirectory& directory, const RunOptions& options) {
  const std::string before = read_saved_options(directory.file(kConfigFile)).base.from;
  if (options.base.from == before || options.base.from.empty()) return;
  throw ConfigError(
      fmt::format("{0} has another training, which began {1}: to fine-tune {2}, name another directory with `--model`; "
                  "to resume the training in {0}, leave out `--from`",
                  directory.path(), before.empty() ? "with new parameters" : "with " + before, options.base.from));
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

/// What to do if a training cannot be resumed with this text.
std::string other_model(const checkpoint::RunDirectory& directory) {
  const std::string other = "choose another `--model`";
  if (directory.manifest().origin.chosen.empty()) return other;
  return fmt::format("{}, or begin one with this model: `--from {}`", other, directory.path());
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
  refuse_other_base(directory, options);
  refuse_other_options(directory, options);
  refuse_fewer_steps(directory, options.train);
}

void refuse_to_replace_model(const checkpoint::RunDirectory& directory) {
  if (directory.manifest().origin.chosen.empty()) return;
  throw ConfigError("model", fmt::format("must be another directory: {} has a finished model, but no checkpoints from "
                                         "which to resume its training",
                                         directory.path()));
}

void refuse_other_text(const checkpoint::RunDirectory& directory, const Checksums& sums, const RunOptions& options) {
  const Checksums& before = directory.manifest().corpus;
  if (before.empty()) {
    throw Error(
        fmt::format("{}/manifest.json is missing, or does not say with which text the training there began: "
                    "restore it, or train in another directory",
                    directory.path()));
  }
  const RunOptions saved = read_saved_options(directory.file(kConfigFile));
  auto found = text_difference(named_text(training_text(before), saved), named_text(training_text(sums), options));
  const NamedText valid_before = named_text(validation_text(before), saved);
  // Another validation text may replace it. Without any, the best score so far would be lost silently.
  if (!found && !valid_before.sums.empty() && validation_text(sums).empty())
    found = valid_before.shown(valid_before.sums.begin()->first) + " is left out now";
  if (found) {
    throw Error(fmt::format("{}: the training there began with other text: {}; {}", directory.path(), *found,
                            other_model(directory)));
  }
  if (options.data.corpus.filters.leaking == data::FilterAction::Keep) return;
  found = text_difference(valid_before, named_text(validation_text(sums), options));
  if (!found) return;
  throw Error(
      fmt::format("{}: the training there began with other validation text, whose pairs are left out of the training "
                  "text (data.leaking): {}; {}",
                  directory.path(), *found, other_model(directory)));
}

bool has_fitting_tokenizers(const checkpoint::RunDirectory& directory, const RunOptions& options,
                            const Checksums& sums) {
  return has_tokenizers(directory) && !options.base.gives_tokenizers() &&
         std::holds_alternative<LearnedTokenizers>(options.text.tokenizers) &&
         training_text(directory.manifest().corpus) == training_text(sums) &&
         option_differences(directory, options).empty();
}

}  // namespace heed::config
