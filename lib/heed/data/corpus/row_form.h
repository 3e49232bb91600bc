// Recognizes files of pairs whose rows all have another form than SOURCE TAB TARGET.
#pragma once

#include <string>

#include "heed/data/corpus/text_format.h"

namespace heed::data {

/// What the first rows of a file have in common that pairs do not, and the command that converts the file: other
/// columns, commas instead of tabs, a third column without weights. A clause that continues the error about the first
/// row. Empty: only some rows are wrong, there is only one row, or the file cannot be read a second time.
/// path: of the file; name: its name in messages; weighted: whether the third column should have weights.
std::string advice_on_rows(const std::string& path, const std::string& name, const TextFormat& format, bool weighted);

}  // namespace heed::data
