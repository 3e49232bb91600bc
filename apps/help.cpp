#include <fmt/format.h>

#include "commands.h"

namespace heed::apps {

std::string overview() {
  std::string text =
      R"(heed trains translation models on pairs of text files, translates with them and scores the result. It also trains
language models on text of one language.

Commands:
)";
  for (const CommandSummary& command : kCommandSummaries) {
    text += fmt::format("  heed {:<12} {}\n", command.name, command.summary);
  }
  return text + R"(  heed help COMMAND (or heed COMMAND --help) explains a command; --help-all lists all its options

First steps with your own files (line N of one file translates line N of the other):
  heed train --source train.en --target train.de --valid-source dev.en --valid-target dev.de --model models/en-de
  heed translate --model models/en-de < test.en > out.de
  heed evaluate --reference test.de out.de

heed --version prints the version.
)";
}

}  // namespace heed::apps
