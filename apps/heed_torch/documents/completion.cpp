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

config::Command part(config::Shell shell, std::string_view name, std::string_view example) {
  const auto print_script = [shell](const NoOptions&, const config::Arguments&) {
    print(config::completion_script(shell, kHeed.name, documented_commands()));
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
          .parts = {part(config::Shell::Bash, "bash", R"sh(  eval "$(heed completion bash)"
  heed completion bash > ~/.local/share/bash-completion/completions/heed)sh"),
                    part(config::Shell::Zsh, "zsh", R"sh(  eval "$(heed completion zsh)"
  heed completion zsh > "${fpath[1]}/_heed")sh"),
                    part(config::Shell::Fish, "fish", R"sh(  heed completion fish | source
  heed completion fish > ~/.config/fish/completions/heed.fish)sh")}};
}

}  // namespace heed::apps
