// Words of a command line that people paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace heed {

/// The word as a POSIX shell reads it back: as it is, or in single quotes where it has a character that the shell reads
/// otherwise (spaces, quotes, * ? $ ...), or is empty.
std::string shell_quoted(std::string_view word);

}  // namespace heed
