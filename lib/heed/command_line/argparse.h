// The grammar of Python's argparse (as of 3.11), for command lines that a program takes over from a Python program:
// names that begin with one dash or two, `--name value`, `--name=value`, `-nvalue`, `-abc`, unique beginnings of long
// names, options that take all values up to the next option, positionals before, between and behind options.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace heed::config {

enum class ArgumentCount { None, One, Any, OneOrMore };

struct ParsedOption {
  std::vector<std::string> names;  ///< "--width", "-w"; none: the positionals, at most one such entry with Any
  ArgumentCount count = ArgumentCount::One;
  /// Takes the values each time the option is given. What it throws as std::invalid_argument is what is wrong with
  /// them.
  std::function<void(std::span<const std::string>)> take;
  int exclusive_group = 0;  ///< of two options of the same group other than 0 only one may be given
};

/// Calls take() of the options that `arguments` give, from left to right. Throws ConfigError with argparse's message.
void parse_as_argparse(std::span<const ParsedOption> options, std::span<const std::string> arguments);

}  // namespace heed::config
