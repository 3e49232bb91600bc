// Parses command lines by the rules of Python's argparse (3.11), for commands that replace a Python program. Names
// begin with one dash or two. It accepts `--name value`, `--name=value`, `-nvalue`, `-abc` and unique abbreviations of
// long names. Options may take all values up to the next option, and positionals may be before, between and after
// options.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace heed::config {

enum class ArgumentCount { None, One, Any, OneOrMore };

struct ParsedOption {
  std::vector<std::string> names;  ///< "--width", "-w"; empty: the positionals, at most one such entry, with Any
  ArgumentCount count = ArgumentCount::One;
  /// Called with the values each time the option is given. Throws std::invalid_argument to reject them; its message is
  /// the error.
  std::function<void(std::span<const std::string>)> take;
  int exclusive_group = 0;  ///< of the options in a group other than 0, only one may be given
};

/// Calls take() of the options in `arguments`, from left to right. Throws ConfigError with argparse's message.
void parse_as_argparse(std::span<const ParsedOption> options, std::span<const std::string> arguments);

}  // namespace heed::config
