// Finds the files that a resumed training reads.
#pragma once

#include <string>
#include "heed/command_line/settings.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/distributed/rank_group.h"

namespace heed::config {

/// The config.toml of a model directory has the paths of the text, and of other files, as the user gave them. A
/// relative path begins at the folder in which the training was started. If the current folder lacks the file, but that
/// folder has it, the path in `options` becomes absolute, and the log says so. Files that only
/// the start of a training reads are looked for as long as there is no checkpoint. command_line: its paths stay as they
/// are. Throws Error that names both folders if the file is in neither.
void find_saved_files(RunOptions& options, const Layer& command_line);
/// The same on several ranks: rank 0 looks for the files and sends its options to the others. Throws Error on all ranks
/// if one was given other options.
void find_saved_files(RunOptions& options, const Layer& command_line, distributed::RankGroup& ranks);

/// The options in the config.toml of a model directory. The files that scores depend on have the paths where they are
/// now.
RunOptions options_before(const std::string& model);

}  // namespace heed::config
