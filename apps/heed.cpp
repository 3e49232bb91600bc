// heed: the program users type. It links no torch, so that help and scores start at once, and hands the commands that
// need tensors to heed-torch.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "commands.h"
#include "version.h"

namespace heed::apps {
namespace {

const config::ProgramHelp kHeed{
    .name = "heed",
    .summary =
        R"(heed trains translation models on parallel text, translates with them and scores translations. It also trains
language models on text of one language.)",
    .closing = R"(heed help COMMAND, or heed COMMAND --help, explains a command; --help-all lists all its options.
heed --version prints the version.

First steps with your own files (line N of one file translates line N of the other):
  heed train --source train.en --target train.de --valid-source dev.en --valid-target dev.de --model models/en-de
  heed translate --model models/en-de < test.en > out.de
  heed evaluate --reference test.de out.de)",
};

/// Those of this program as they are, the others as commands of heed-torch, in the order of the list.
std::vector<config::Command> commands() {
  std::vector<config::Command> all;
  for (const auto& [name, summary, make] : kCommands) {
    config::Command& command = all.emplace_back(make ? make() : config::Command());
    command.name = name;
    command.summary = summary;
    if (make) continue;
    command.run_foreign = [name](CommandArguments arguments) -> int { run_with_torch(name, arguments); };
  }
  return all;
}

/// `help COMMAND...` as `COMMAND... --help`.
std::vector<std::string> with_help_behind(std::vector<std::string> words) {
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
  return run_program(kHeed, commands(), with_help_behind(words));
}

}  // namespace
}  // namespace heed::apps

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  return heed::apps::run_guarded([&] { return heed::apps::run(words); });
}
