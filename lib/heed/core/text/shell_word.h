// Quotes paths in commands that a message shows.
#pragma once

#include <string>
#include <string_view>

namespace heed {

/// A path as a word of a shell command (bash, zsh, ksh; without control characters any POSIX shell). It is quoted only
/// if necessary. A path that begins with a dash gets a `./` before it. The result is printable, so printing the message
/// (printable.h) does not change it.
std::string shell_path(std::string_view path);

}  // namespace heed
