// heed-torch: the commands that need tensors. Users run `heed`, which runs this program.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <c10/util/Exception.h>
#include <c10/util/Logging.h>

#include "commands.h"
#include "heed/core/allocation.h"
#include "heed/core/error.h"
#include "heed_torch/translation/lines/out_of_memory.h"

namespace heed::apps {
namespace {

int run(CommandArguments arguments) {
  const std::vector<config::Command> commands = torch_commands();
  if (arguments.empty() || std::ranges::find(commands, arguments[0], &config::Command::name) == commands.end()) {
    throw ConfigError("heed-torch is the part of heed that needs tensors; run `heed`, which `heed help` explains");
  }
  return run_program({.name = "heed", .summary = {}, .closing = {}}, commands, arguments);
}

/// Turns torch's errors into heed's: out-of-memory errors into std::bad_alloc, others without their stack trace, since
/// formatting it needs memory.
int run_within_memory(CommandArguments arguments) {
  try {
    return run(arguments);
  } catch (const c10::Error& error) {
    if (translation::ran_out_of_memory(error)) throw std::bad_alloc();
    throw Error(error.what_without_backtrace());
  }
}

/// Ends the program without destroying static objects: LibTorch would unregister its thousands of operators one by one,
/// which takes a tenth of a second. Sanitizers need the usual end for their reports.
[[noreturn]] void end_at_once(int code) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  std::exit(code);
#else
  std::fflush(nullptr);
  std::quick_exit(code);
#endif
}

}  // namespace
}  // namespace heed::apps

int main(int count, char** arguments) {
  heed::keep_freed_memory();
  FLAGS_caffe2_use_fatal_for_enforce = false;  // throw an exception when memory runs out, instead of a core dump
  heed::apps::end_at_once(heed::apps::run_guarded([&] {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    return heed::apps::run_within_memory(words);
  }));
}
