// Paths in commands that a message shows.
#pragma once

#include <string>
#include <string_view>

namespace heed {

/// A path as a word of a command that people paste into a shell (bash, zsh, ksh; without control characters any POSIX
/// shell). Quoted only if it must be; a path that begins with a dash gets `./` before it. Printable, so that printing
/// the message (printable.h) changes nothing in it.
std::string shell_path(std::string_view path);

}  // namespace heed
