#include "heed_torch/checkpoint/average_model.h"

#include <algorithm>
#include <map>
#include <utility>

#include <c10/util/StringUtil.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/new_directory.h"
#include "heed/core/parsed_number.h"
#include "heed/model_directory/published.h"
#include "heed/text/placeholders.h"
#include "heed_torch/checkpoint/averaging.h"
#include "heed_torch/checkpoint/run_directory.h"

namespace heed::checkpoint {
namespace {

using Steps = std::vector<int64_t>;

std::string listed(const std::string& model) {
  Steps steps;
  for (const CheckpointInfo& info : list_checkpoints(model)) steps.push_back(info.step);
  return steps.empty() ? "there are none" : c10::str("there are ", c10::Join(", ", steps));
}

int64_t parsed_step(const std::string& text) {
  if (const auto step = parsed_number<int64_t>(text)) return *step;
  throw ConfigError("--checkpoints", "must be numbers of steps, but one is `" + text + "`");
}

/// The steps that `texts` name. Each must have a checkpoint and be named once.
Steps named(const std::vector<std::string>& texts, const std::string& model) {
  Steps steps;
  for (const std::string& text : texts) steps.push_back(parsed_step(text));
  std::ranges::sort(steps);
  if (const auto twice = std::ranges::adjacent_find(steps); twice != steps.end()) {
    throw ConfigError("--checkpoints", c10::str("names ", *twice, " twice"));
  }
  const std::vector<CheckpointInfo> there = list_checkpoints(model);
  for (const int64_t step : steps) {
    if (std::ranges::find(there, step, &CheckpointInfo::step) != there.end()) continue;
    throw CheckpointError(checkpoints_path(model), c10::str("has no checkpoint of step ", step, "; ", listed(model)));
  }
  return steps;
}

/// The steps of `infos`. Throws ConfigError if there are fewer than `option` asks for.
Steps as_many(const char* option, int64_t wanted, const std::vector<CheckpointInfo>& infos, const std::string& model) {
  if (std::ssize(infos) < wanted) {
    throw ConfigError(option, c10::str("must be at most ", infos.size(), ", the checkpoints in ",
                                       checkpoints_path(model), " that count (", listed(model), "), but is ", wanted));
  }
  Steps steps;
  for (const CheckpointInfo& info : infos) steps.push_back(info.step);
  return steps;
}

Steps chosen(const AverageOptions& options) {
  const std::string& model = options.model;
  if (options.best) return as_many("--best", *options.best, best_of(candidates(model), *options.best), model);
  if (options.last) return as_many("--last", *options.last, last_of(candidates(model), *options.last), model);
  return named(options.checkpoints, model);
}

NamedTensors mean_of(const Steps& steps, const std::string& model) {
  std::vector<std::string> paths;
  for (const int64_t step : steps) {
    verify_checkpoint_model(model, step);
    paths.push_back(checkpoint_model_path(model, step));
  }
  return average_tensors(paths);
}

/// What translation needs apart from the parameters: file contents by name.
std::map<std::string, std::string> surroundings(const std::string& model, Manifest manifest) {
  std::erase_if(manifest.files, [](const auto& file) {
    const std::string& name = file.first;
    return name != "config.toml" && name != text::Placeholders::kFile && !name.starts_with("source.") &&
           !name.starts_with("target.");
  });
  verify_files(model, manifest, Verify::Checksums);
  std::map<std::string, std::string> files;
  for (const auto& entry : manifest.files) files[entry.first] = read_file(model + "/" + entry.first);
  return files;
}

/// What the averaged model is made of.
struct ReadAverage {
  Manifest manifest;
  std::map<std::string, std::string> files;
  Steps steps;
  NamedTensors mean;
};
ReadAverage read_average(const AverageOptions& options) {
  Manifest manifest = read_manifest(options.model);
  auto files = surroundings(options.model, manifest);
  Steps steps = chosen(options);
  NamedTensors mean = mean_of(steps, options.model);
  return {std::move(manifest), std::move(files), std::move(steps), std::move(mean)};
}

}  // namespace

void validate(const AverageOptions& options) {
  if (options.model.empty()) throw ConfigError("`--model` is missing: name the directory that `heed train` made");
  if (options.output.empty()) throw ConfigError("`--output` is missing: name the directory for the averaged model");
  const int choices = !options.checkpoints.empty() + options.best.has_value() + options.last.has_value();
  if (choices != 1) {
    throw ConfigError("name the checkpoints to average by one of `--checkpoints`, `--best` and `--last`");
  }
  if (options.checkpoints.size() == 1) {
    throw ConfigError("--checkpoints", "must name at least two, but names only " + options.checkpoints.front());
  }
}

std::vector<int64_t> average_model(const AverageOptions& options) {
  validate(options);
  NewDirectory output("--output", options.output);
  const ReadAverage read = read_consistently(options.model, [&] { return read_average(options); });
  output.fill([&](const std::string& path) {
    RunDirectory directory(path);
    const Manifest& manifest = read.manifest;
    for (const auto& [name, content] : read.files) directory.write(name, content);
    if (manifest.seed) directory.describe_run(*manifest.seed, manifest.corpus, manifest.usual_source_length);
    directory.write_model(read.mean, {.chosen = "averaged", .steps = read.steps, .scores = {}});
  });
  return read.steps;
}

}  // namespace heed::checkpoint
