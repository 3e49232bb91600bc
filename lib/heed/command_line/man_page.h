// Manual pages for a program and its commands, in man(7) macros: the contents of --help with all options.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heed/command_line/command.h"
#include "heed/command_line/command_line.h"

namespace heed::config {

struct ManPage {
  std::string name;  ///< "heed-bpe-learn"
  std::string text;
};

/// The page of the program, which lists its commands, and a page for each command or subcommand that has options.
/// version: "heed 0.1.0".
std::vector<ManPage> man_pages(const ProgramHelp& program, std::span<const Command> commands,
                               const std::string& version);

}  // namespace heed::config
