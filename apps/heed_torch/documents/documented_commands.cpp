#include <algorithm>

#include "commands.h"
#include "heed/core/error.h"

namespace heed::apps {

std::vector<config::Command> documented_commands() {
  const std::vector<config::Command> with_tensors = torch_commands();
  std::vector<config::Command> all;
  for (const auto& [name, summary, make] : kCommands) {
    const auto found = std::ranges::find(with_tensors, name, &config::Command::name);
    check(make || found != with_tensors.end(), "a listed command that no program has");
    config::Command& command = all.emplace_back(make ? make() : *found);
    command.name = name;
    command.summary = summary;
  }
  return all;
}

}  // namespace heed::apps
