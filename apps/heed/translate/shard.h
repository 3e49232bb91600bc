// `--shard I/N`: one of several equal parts of an input, so that as many processes share it.
#pragma once

#include <cstdint>
#include <string>

#include "translate/source_reader.h"

namespace heed::apps {

struct Shard {
  int64_t number = 1;  ///< from 1
  int64_t of = 1;
};
/// "3/8"; the whole for "". Throws ConfigError.
Shard shard_of(const std::string& text);

/// The lines of that part: those behind the first (number - 1) / of of all, up to number / of. Its `first` is set.
/// Throws ConfigError where the number of lines is not known.
LineSource part_of(const LineSource& lines, const Shard& shard);

}  // namespace heed::apps
