#include <fmt/format.h>

#include "commands.h"
#include "heed/command_line/completion/completion.h"
#include "program_help.h"

namespace heed::apps {
namespace {

/// This command has no options.
struct NoOptions {};
void describe(NoOptions&, OptionVisitor&) {}

constexpr std::string_view kSummary = "Completes commands, options and the names that an option takes, as {} reads it.";

/// The command for one shell. script: writes its completion script.
config::Command for_shell(std::string_view name, decltype(config::completion::bash_script)* script,
                          std::string_view example) {
  const auto print_script = [script](const NoOptions&, const config::Arguments&) {
    print(script(kHeed.name, config::completion::known_commands(documented_commands())));
    return 0;
  };
  return with_options<NoOptions>({.name = std::string(name),
                                  .summary = fmt::format("the script for {}", name),
                                  .help = {.usage = fmt::format("heed completion {}", name),
                                           .summary = fmt::format(kSummary, name),
                                           .examples = std::string(example)}},
                                 print_script);
}

}  // namespace

config::Command completion_command() {
  return {.name = "completion",
          .help = config::CommandHelp{.usage = "heed completion SHELL",
                                      .summary = "Prints the script by which a shell completes command lines of heed.",
                                      .closing = "heed completion SHELL --help says where a shell finds its script."},
          .parts = {for_shell("bash", config::completion::bash_script, R"sh(  eval "$(heed completion bash)"
  heed completion bash > ~/.local/share/bash-completion/completions/heed)sh"),
                    for_shell("zsh", config::completion::zsh_script, R"sh(  eval "$(heed completion zsh)"
  heed completion zsh > "${fpath[1]}/_heed")sh"),
                    for_shell("fish", config::completion::fish_script, R"sh(  heed completion fish | source
  heed completion fish > ~/.config/fish/completions/heed.fish)sh")}};
}

}  // namespace heed::apps
