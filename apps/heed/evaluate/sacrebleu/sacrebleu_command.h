// `heed evaluate` with sacreBLEU 2.6's own command line: the same output, messages and exit codes.
#pragma once

#include "program.h"

namespace heed::apps {

/// Gives the exit code; that of `help` where the arguments ask for help.
int run_sacrebleu(CommandArguments arguments, int (*help)());

}  // namespace heed::apps
