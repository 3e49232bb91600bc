// The text of --help: what a command does, how it is called, examples, and its options by section, each with what it
// takes and its default.
#pragma once

#include <string>
#include <vector>

#include "heed/config/command_line/option_list.h"

namespace heed::config {

struct CommandHelp {
  std::string usage;                     ///< "heed train --source FILE ... [options]"
  std::string summary;                   ///< what the command does, in a few lines
  std::string examples = {};             ///< commands as one types them, with a line on each; may be empty
  std::vector<std::string> common = {};  ///< the options that the short help shows, in its order; empty: all
  std::string closing = {};              ///< where to read on; may be empty
};

/// The common options in the order of `help.common`; all of them where it is empty.
std::string format_help(const CommandHelp& help, const OptionList& options);
/// Every option, by section; those of an alternative stand below a line that names it.
std::string format_full_help(const CommandHelp& help, const OptionList& options);

}  // namespace heed::config
