#include "commands.h"

#include <algorithm>

namespace heed::apps {

const CommandSummary* find_summary(std::string_view name) {
  const auto* found = std::ranges::find(kCommandSummaries, name, &CommandSummary::name);
  return found == kCommandSummaries.end() ? nullptr : found;
}

std::string command_names() {
  std::string names;
  for (const CommandSummary& command : kCommandSummaries) {
    if (!names.empty()) names += ", ";
    names += command.name;
  }
  return names;
}

}  // namespace heed::apps
