// heed: the program that users run. It does not link torch, so help, scores and translations start at once. For
// commands that need tensors it runs heed-torch, and heed-serve for `heed serve` and `heed watch`.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "commands.h"
#include "program_help.h"
#include "translate/translate.h"
#include "version.h"

namespace heed::apps {
namespace {

/// A command that heed-torch runs.
config::Command run_in_heed_torch(std::string_view name) {
  config::Command command;
  command.run_raw = [name](CommandArguments arguments) -> int { run_with_torch(name, arguments); };
  return command;
}

/// A command that runs here, with the inference engine, or in heed-torch if LibTorch is needed. words: the whole
/// command line.
config::Command run_or_delegate(config::Command command, std::string_view name, const std::vector<std::string>& words) {
  if (!command.run) return command;
  command.run = [name, words, run = command.run](const config::Arguments& given) -> int {
    try {
      return run(given);
    } catch (const api::NeedsTorch&) {
      run_with_torch(name, std::span(words).subspan(1));
    }
  };
  return command;
}

#ifdef HEED_STATIC
/// A command of the web server, which is a part of this program.
config::Command server_command(std::string_view name, const std::vector<std::string>& words) {
  return name == "serve" ? run_or_delegate(serve_command(), name, words) : watch_command();
}
#else
/// A command that heed-serve runs: the library of its web server takes time to load.
config::Command server_command(std::string_view name, const std::vector<std::string>&) {
  config::Command command;
  command.run_raw = [name](CommandArguments arguments) -> int { run_server_program(name, arguments); };
  return command;
}
#endif

/// All commands, in the order of the list.
std::vector<config::Command> commands(const std::vector<std::string>& words) {
  std::vector<config::Command> all;
  for (const auto& [name, summary, make] : kCommands) {
    config::Command& command =
        all.emplace_back(name == "translate"                  ? run_or_delegate(translate_command({}), name, words)
                         : name == "serve" || name == "watch" ? server_command(name, words)
                         : make                               ? run_or_delegate(make(), name, words)
                                                              : run_in_heed_torch(name));
    command.name = name;
    command.summary = summary;
  }
  return all;
}

/// Changes `help COMMAND...` to `COMMAND... --help`.
std::vector<std::string> with_help_last(std::vector<std::string> words) {
  const auto command = std::ranges::find_if(words, [](const std::string& word) { return word != "help"; });
  if (command == words.begin()) return words;
  words.erase(words.begin(), command);
  words.emplace_back("--help");
  return words;
}

int run(const std::vector<std::string>& words) {
  if (!words.empty() && words[0] == "--version") {
    print(fmt::format("heed {}\n", kVersion));
    return 0;
  }
  const std::vector<std::string> asked = with_help_last(words);
  return run_program(kHeed, commands(asked), asked);
}

}  // namespace
}  // namespace heed::apps

int main(int count, char** arguments) {
  return heed::apps::run_guarded([&] { return heed::apps::run({arguments + 1, arguments + count}); });
}
