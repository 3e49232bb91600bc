// heed-torch: the commands that need tensors. Users type `heed`, which runs this program for them.
#include <array>

#include "commands.h"
#include "heed/core/allocation.h"
#include "heed/core/error.h"

namespace heed::apps {
namespace {

constexpr std::array kCommands{Command{"train", run_train}, Command{"translate", run_translate},
                               Command{"score", run_score}, Command{"align", run_align},
                               Command{"generate", run_generate}};

int run(CommandArguments arguments) {
  const Command* command = arguments.empty() ? nullptr : find_command(kCommands, arguments[0]);
  if (!command) {
    throw ConfigError("heed-torch runs train, translate, score, align and generate; `heed help` explains them");
  }
  return command->run(arguments.subspan(1));
}

}  // namespace
}  // namespace heed::apps

int main(int count, char** arguments) {
  heed::reuse_large_allocations();
  const std::vector<std::string> words(arguments + 1, arguments + count);
  return heed::apps::run_guarded([&] { return heed::apps::run(words); });
}
