// What an exception of any library says to people.
#pragma once

#include <exception>
#include <string>

namespace heed {

/// A sentence without the name of the library: heed's errors say theirs. One of std::filesystem reads as a FileError,
/// `path: cannot access: reason`. One of nlohmann's JSON loses its prefix. Of others the first line counts: LibTorch's
/// have a stack trace after it.
std::string sentence_of(const std::exception& error);

}  // namespace heed
