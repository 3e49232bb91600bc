// `heed evaluate` with sacreBLEU 2.6's command line: identical output, messages and exit codes.
#pragma once

#include "program.h"

namespace heed::apps {

/// Returns the exit code. If the arguments ask for help, calls `help` and returns its exit code.
int run_sacrebleu(CommandArguments arguments, int (*help)());

}  // namespace heed::apps
