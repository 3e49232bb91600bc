// The message of any library's exception, for users.
#pragma once

#include <exception>
#include <string>

namespace heed {

/// The message without the name of the library; heed's own messages are unchanged. A std::filesystem error has the form
/// of a FileError: `path: cannot access: reason`. nlohmann's JSON errors lose their prefix. Of all others, only the
/// first line is used, as LibTorch adds a stack trace.
std::string sentence_of(const std::exception& error);

}  // namespace heed
