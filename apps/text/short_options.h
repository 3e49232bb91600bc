// One-letter options, for commands that take over another program's command line.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "program.h"

namespace heed::apps {

struct ShortOption {
  char letter;
  std::string_view name;  ///< the long name, without dashes
};

/// The arguments with `-s`, `-s VALUE` and `-sVALUE` written as `--name`, `--name VALUE` and `--name=VALUE`. Numbers,
/// `-`, what follows `--` and letters that no option has stay as they are.
std::vector<std::string> with_long_names(CommandArguments arguments, std::span<const ShortOption> options);

}  // namespace heed::apps
