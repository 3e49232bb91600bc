// The completion scripts for each shell; see completion.h.
#pragma once

#include <string>
#include <vector>

#include "heed/command_line/completion/known_command.h"

namespace heed::config::completion {

std::string bash_script(const std::string& program, const std::vector<KnownCommand>& commands);
std::string zsh_script(const std::string& program, const std::vector<KnownCommand>& commands);
std::string fish_script(const std::string& program, const std::vector<KnownCommand>& commands);

}  // namespace heed::config::completion
