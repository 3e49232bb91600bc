// `--shard I/N`: selects one of N equal parts of an input, so that N processes can share it.
#pragma once

#include <cstdint>
#include <string>

#include "translate/source_reader.h"

namespace heed::apps {

struct Shard {
  int64_t number = 1;  ///< from 1
  int64_t of = 1;
};
/// Parses "3/8"; an empty text means the whole input. Throws ConfigError.
Shard shard_of(const std::string& text);

/// The lines of this part: from (number - 1) / of to number / of of all lines. Sets `first`. Throws ConfigError if the
/// number of lines is unknown.
LineSource part_of(const LineSource& lines, const Shard& shard);

}  // namespace heed::apps
