#include "heed/command_line/completion/completion.h"

#include "heed/command_line/completion/known_command.h"

namespace heed::config {

std::string completion_script(Shell shell, const std::string& program, std::span<const Command> commands) {
  const std::vector<completion::CompletionCommand> known = completion::known_commands(commands);
  switch (shell) {
    case Shell::Bash:
      return completion::bash_script(program, known);
    case Shell::Zsh:
      return completion::zsh_script(program, known);
    case Shell::Fish:
      break;
  }
  return completion::fish_script(program, known);
}

}  // namespace heed::config
