// Options as rows of a help text: what to type, its meaning, and the heading.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/command_line/command.h"
#include "heed/command_line/option_list.h"

namespace heed::config {

struct HelpRow {
  std::string heading;      ///< "[arch.encoder] the encoder", "[arch.encoder] with type rnn"
  std::string left;         ///< "--arch.encoder.layers N"
  std::string description;  ///< with valid values and the default
};

/// The common options of the selected alternatives, under one heading, in the order of CommandHelp::common.
std::vector<HelpRow> common_rows(const Command& command, const OptionList& options);
/// All options. Equal rows of an encoder and a decoder are merged into one, `--arch.{encoder,decoder}.layers`, in the
/// notation that shells expand. If alternatives have different defaults, the row shows all of them.
std::vector<HelpRow> all_rows(const Command& command, const OptionList& options);

/// A row in lines of 100 characters, with the description next to or below `left`.
std::string row_text(const std::string& left, const std::string& description);

}  // namespace heed::config
