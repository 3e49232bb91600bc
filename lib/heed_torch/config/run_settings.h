// The options of a run from their settings: preset, files and command line; and config.toml, in which they are saved.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/command_line/settings.h"
#include "heed_torch/config/run_options.h"

namespace heed::config {

/// The preset that the settings name (of a fine-tuning: that of the model it begins with), with a head in the decoder's
/// place where the task asks for one (task_rules.h), then what that model gives (base_settings.h) or what a resumed
/// training keeps (resumed_settings.h), then the files, then the command line. Some defaults follow from other choices,
/// unless the settings name them: without validation text there is no patience, and the last checkpoints are averaged;
/// the preset's number of updates gives way to a limit in tokens or epochs (it would also be where a cosine ends); two
/// vocabularies tie no more than the decoder's embeddings. Without validation text, other values than the preset's of
/// what would have no effect, [valid] except `every` and train.keep-best, are errors. Throws ConfigError, FileError;
/// does not validate() (run_rules.h).
RunOptions read_run_options(const std::vector<std::string>& files, const std::vector<Setting>& command_line);

/// In a model directory: the options of its training.
inline constexpr const char* kConfigFile = "config.toml";
/// In a model directory: the events of its training (report/json_lines_observer.h).
inline constexpr const char* kHistoryFile = "metrics.jsonl";

/// The settings in a model directory's config.toml, in their present meaning. Throws ConfigError, FileError.
Layer read_saved_settings(const std::string& path);
/// The options in a model directory's config.toml, or of them those that are wanted, the others as without one. Throws
/// ConfigError, FileError.
RunOptions read_saved_options(const std::string& path);
RunOptions read_saved_options(const std::string& path, const std::function<bool(std::string_view name)>& wanted);
/// The same of the text of a config.toml; `path` is its name in messages.
RunOptions parse_saved_options(std::string_view toml, const std::string& path);
/// config.toml of these options.
std::string format_options(const RunOptions& options);

}  // namespace heed::config
