#include "training_options.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed_torch/checkpoint/checkpoints.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/run_rules.h"
#include "heed_torch/config/setup/saved_text.h"
#include "heed_torch/config/setup/source_vectors.h"
#include "program.h"

namespace heed::apps {
namespace {

/// The options for this start.
config::RunOptions options_of(const config::Layer& command_line) {
  std::vector<std::string> files;
  std::vector<config::Setting> settings;
  std::string model;
  for (const config::Setting& setting : command_line) {
    if (setting.name == "config") {
      files = setting.values;
    } else {
      settings.push_back(setting);
    }
    if (setting.name == "model") model = setting.values.front();
  }
  const std::string saved = model + "/config.toml";
  const auto names_any = [&](std::initializer_list<std::string_view> options) {
    return std::ranges::any_of(settings, [&](const config::Setting& setting) {
      return std::ranges::find(options, setting.name) != options.end();
    });
  };
  const bool goes_on = files.empty() && !model.empty() &&
                       !names_any({"source", "source-vectors", "source-images", "source-audio", "target", "pairs"});
  if (goes_on && !std::filesystem::exists(saved) &&
      !names_any({"task", "preset"})) {  // these options start a new training
    throw ConfigError(
        fmt::format("{} has no training to resume; to begin one, name its text: `--source` and `--target`, or "
                    "`--pairs` (of a language model `--target`)",
                    model));
  }
  return config::read_run_options(files, settings);
}

/// Says what a preset does next to a trained model, whose network counts.
void explain_preset(const config::RunOptions& options, const config::Layer& given) {
  const auto gives = [&](std::string_view name) {
    return std::ranges::find(given, name, &config::Setting::name) != given.end();
  };
  if (!gives("preset") || !options.base.gives_weights() || checkpoint::has_checkpoints(options.model)) return;
  log_info(fmt::format("the network is that of {} (`from`); `preset {}` sets only the options of the training",
                       options.base.from, enum_name(options.preset)));
}

}  // namespace

config::RunOptions training_options(const config::Layer& given) {
  config::RunOptions run = options_of(given);
  require_option(!run.model.empty(), "model", "name the directory for the model");
  return run;
}

void settle_training_options(config::RunOptions& options, const config::Layer& given, distributed::RankGroup& ranks) {
  if (ranks.leads()) explain_preset(options, given);
  config::find_saved_files(options, given, ranks);
  config::adopt_vector_form(options);
  config::validate(options);
}

}  // namespace heed::apps
