// Makes the options of a run from their settings: preset, files and command line. Saves them in config.toml.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/command_line/settings.h"
#include "heed_torch/config/run_options.h"

namespace heed::config {

/// Applies the settings in this order; later ones overwrite earlier ones:
/// 1. The preset that the settings name. In fine-tuning, this is the preset of the model that training starts from. A
///    task with a head puts the head in place of the decoder (task_rules.h).
/// 2. The options of that model (base_settings.h), or those that a resumed training keeps (resumed_settings()).
/// 3. The files, then the command line.
///
/// Some defaults follow from other options unless the settings name them. Without validation text there is no patience,
/// and the last checkpoints are averaged. A limit in tokens or epochs replaces the preset's number of steps, which a
/// cosine schedule would otherwise use as its end. With two vocabularies only the decoder's embeddings are tied.
///
/// Without validation text, train.keep-best and all of [valid] except `every` have no effect. They must then have the
/// preset's values. Throws ConfigError, FileError. Does not call validate() (run_rules.h).
RunOptions read_run_options(const std::vector<std::string>& files, const std::vector<Setting>& command_line);

/// In a model directory: the options of its training.
inline constexpr const char* kConfigFile = "config.toml";
/// In a model directory: the events of its training (report/json_lines_observer.h).
inline constexpr const char* kHistoryFile = "metrics.jsonl";

/// The settings in a model directory's config.toml, converted to this version of heed. Throws ConfigError, FileError.
Layer read_saved_settings(const std::string& path);
/// The options in a model directory's config.toml. With `wanted`, only the options that it accepts are read; the others
/// have their defaults. Throws ConfigError, FileError.
RunOptions read_saved_options(const std::string& path);
RunOptions read_saved_options(const std::string& path, const std::function<bool(std::string_view name)>& wanted);
/// Reads the options from the text of a config.toml; `path` is its name in messages.
RunOptions parse_saved_options(std::string_view toml, const std::string& path);
/// The text of a config.toml with these options.
std::string format_options(const RunOptions& options);

/// The saved settings of the training that `layers` resume. They are a layer between the preset and all others: an
/// option that the user does not name keeps its value, even if this version of heed has another default.
///
/// Empty if nothing is resumed: `layers` name no `model`, or one without checkpoints. If they name no text, the saved
/// settings are also used before the first checkpoint. Text that is named replaces the saved text: `pairs` replaces
/// both sides, and a side replaces `pairs`. Throws ConfigError, FileError.
Layer resumed_settings(const std::vector<Layer>& layers);

}  // namespace heed::config
