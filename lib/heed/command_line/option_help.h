// Options as rows of a help text: what one types, what it means, and under which heading.
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
  std::string description;  ///< with what it takes and its default
};

/// The common options of the alternatives chosen, under one heading, in their order.
std::vector<HelpRow> common_rows(const Command& command, const OptionList& options);
/// Every option. Rows that an encoder and a decoder have alike are one, `--arch.{encoder,decoder}.layers`, as a shell
/// expands it; defaults of alternatives not chosen stand beside the chosen one's.
std::vector<HelpRow> all_rows(const Command& command, const OptionList& options);

/// A row in lines of 100 characters, the description beside or below what one types.
std::string row_text(const std::string& left, const std::string& description);

}  // namespace heed::config
