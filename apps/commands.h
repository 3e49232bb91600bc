// The commands, one file each. Each gives its exit code and throws what stops it.
#pragma once

#include "program.h"

namespace heed::apps {

int run_bpe(CommandArguments arguments);
int run_spm(CommandArguments arguments);
int run_embeddings(CommandArguments arguments);
int run_tokenize(CommandArguments arguments);
int run_evaluate(CommandArguments arguments);
int run_help(CommandArguments arguments);
int run_train(CommandArguments arguments);
int run_translate(CommandArguments arguments);
int run_score(CommandArguments arguments);
int run_generate(CommandArguments arguments);
int run_align(CommandArguments arguments);

/// Whether heed-torch has the command of this name.
bool needs_torch(std::string_view command);
/// Replaces this process by `heed-torch COMMAND ARGUMENTS...`, found beside this program or on the PATH. Throws
/// FileError or ConfigError when it cannot.
[[noreturn]] void run_with_torch(std::string_view command, CommandArguments arguments);

}  // namespace heed::apps
