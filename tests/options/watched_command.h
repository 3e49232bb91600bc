// Commands of heed run within the test, and what they write.
#pragma once

#include <string>
#include <vector>

#include "heed/command_line/command.h"
#include "options/option_walk.h"

namespace heed::options_test {

/// All commands of both programs, with options of their own.
std::vector<config::Command> all_commands();
/// The command of that name: "bpe learn". A new one each time, so that no run sees the options of another.
config::Command command_named(const std::string& name);

/// A value that begins so names a file or folder that the run may write.
inline constexpr const char* kWritten = "OUT/";
/// The name under which settings hold arguments that belong to no option.
inline constexpr const char* kPositionals = "";

/// What a run wrote: its exit code, standard output and error, and the files below kWritten with their names.
std::string written_by(const std::string& command, const Settings& settings);

}  // namespace heed::options_test
