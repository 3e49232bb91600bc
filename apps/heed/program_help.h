// The general text of `heed --help` and of heed's manual page.
#pragma once

#include "program.h"

namespace heed::apps {

inline const config::ProgramHelp kHeed{
    .name = "heed",
    .summary =
        R"(heed trains translation models on parallel text, translates with them and scores translations. It also trains
language models on text of one language.)",
    .closing = R"(heed help COMMAND, or heed COMMAND --help, explains a command; --help-all lists all its options.
heed --version prints the version.

First steps with your own files (line N of one file translates line N of the other):
  heed make --source all.en --target all.de --model models/en-de --hours 2    # or step by step:
  heed train --source train.en --target train.de --valid-source valid.en --valid-target valid.de --model models/en-de
  heed translate --model models/en-de < test.en > out.de
  heed evaluate --reference test.de out.de)",
};

}  // namespace heed::apps
