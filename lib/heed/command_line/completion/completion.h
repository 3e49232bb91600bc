// Shell completion scripts. They complete commands, options, and the names that an option accepts; everything else is
// completed as a file.
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

/// The completion script for `program`, in the language of that shell.
std::string completion_script(Shell shell, const std::string& program, std::span<const Command> commands);

}  // namespace heed::config
