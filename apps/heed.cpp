// heed: the program users type. It links no torch, so that help and scores start at once, and hands the commands that
// need tensors to heed-torch.
#include <array>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/error.h"
#include "version.h"

namespace heed::apps {
namespace {

constexpr std::array kCommands{Command{"bpe", run_bpe}, Command{"evaluate", run_evaluate}, Command{"spm", run_spm},
                               Command{"tokenize", run_tokenize}, Command{"embeddings", run_embeddings}};

bool is_help(std::string_view name) { return name == "help" || name == "--help" || name == "-h"; }

/// Runs a command of this program or of heed-torch. Throws ConfigError if `name` is none.
int run_command(const std::string& name, CommandArguments arguments) {
  if (const Command* command = find_command(kCommands, name)) return command->run(arguments);
  if (!find_summary(name)) {
    throw ConfigError(fmt::format("`{}` is not a command; the commands are {} and help", name, command_names()));
  }
  run_with_torch(name, arguments);
}

/// arguments: nothing, or a command and maybe one of its parts.
int run_help(CommandArguments arguments) {
  if (arguments.empty() || is_help(arguments[0])) {
    print(overview());
    return 0;
  }
  std::vector<std::string> of_command(arguments.begin() + 1, arguments.end());
  of_command.emplace_back("--help");
  return run_command(arguments[0], of_command);
}

int run(CommandArguments arguments) {
  if (arguments.empty()) throw ConfigError("no command; `heed help` lists the commands and shows the first steps");
  const std::string& name = arguments[0];
  if (name == "--version") {
    print(fmt::format("heed {}\n", kVersion));
    return 0;
  }
  if (is_help(name)) return run_help(arguments.subspan(1));
  return run_command(name, arguments.subspan(1));
}

}  // namespace
}  // namespace heed::apps

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  return heed::apps::run_guarded([&] { return heed::apps::run(words); });
}
