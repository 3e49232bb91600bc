// heed: the program users type. It links no torch, so that help and scores start at once, and hands the commands that
// need tensors to heed-torch.
#include <array>

#include "commands.h"
#include "heed/core/error.h"

namespace heed::apps {
namespace {

constexpr std::array kCommands{Command{"bpe", run_bpe}, Command{"evaluate", run_evaluate}, Command{"spm", run_spm},
                               Command{"tokenize", run_tokenize}, Command{"embeddings", run_embeddings},
                               Command{"help", run_help},
                               Command{"--help", run_help}, Command{"-h", run_help}};

int run(CommandArguments arguments) {
  if (arguments.empty()) throw ConfigError("no command; `heed help` lists the commands and shows the first steps");
  const std::string& name = arguments[0];
  if (name == "--version") {
    print("heed " HEED_VERSION "\n");
    return 0;
  }
  if (const Command* command = find_command(kCommands, name)) return command->run(arguments.subspan(1));
  if (needs_torch(name)) run_with_torch(name, arguments.subspan(1));
  throw ConfigError("`" + name +
                    "` is not a command; the commands are train, translate, evaluate, score, align, generate, tokenize, "
                    "bpe, spm, embeddings and help");
}

}  // namespace
}  // namespace heed::apps

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  return heed::apps::run_guarded([&] { return heed::apps::run(words); });
}
