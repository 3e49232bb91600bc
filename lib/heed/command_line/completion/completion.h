// Scripts that complete a program's command lines in a shell: commands, their options, and the names that an option
// takes; everything else is completed as a file.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "heed/command_line/command.h"

namespace heed::config {

enum class Shell { Bash, Zsh, Fish };
constexpr auto option_names(Shell) {
  using Name = std::pair<Shell, std::string_view>;
  return std::array{Name{Shell::Bash, "bash"}, Name{Shell::Zsh, "zsh"}, Name{Shell::Fish, "fish"}};
}

/// The script for `program`, to be read by that shell.
std::string completion_script(Shell shell, const std::string& program, std::span<const Command> commands);

}  // namespace heed::config
