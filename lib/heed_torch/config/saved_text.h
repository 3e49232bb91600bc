// Finds the text of a resumed training.
#pragma once

#include "heed/command_line/settings.h"
#include "heed_torch/config/run_options.h"

namespace heed::config {

/// The config.toml of a model directory has the paths of the text as the user gave them. A relative path begins at the
/// folder in which the training was started. If the current folder lacks the file, but that folder has it, the path in
/// `options` becomes absolute, and the log says so. Nothing is looked for where a launcher started several ranks.
/// command_line: its paths stay as they are. Throws Error that names
/// both folders if the file is in neither.
void find_saved_text(RunOptions& options, const Layer& command_line);

}  // namespace heed::config
