// Text of others as it is shown to people: on one line, without characters that steer a terminal, and not too long.
// Results are never changed so; messages are, where they are written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heed {

/// `text` with escapes as Python has them for what would steer a terminal or hide text: control characters (\n, \t,
/// \x1b), line and paragraph separators and the embeddings, overrides and isolates of bidirectional text (\u202e), and
/// bytes that are not UTF-8 (\xff). Backslashes stay, so that escaping twice changes nothing.
std::string printable(std::string_view text);

/// `text`, with an ellipsis in the middle if it has more than `longest` bytes. It keeps its beginning and its end, and
/// about `longest` bytes. longest: at least 20.
std::string shortened(std::string_view text, size_t longest);

/// A message as it is shown: printable, with each quotation of more than 500 bytes shortened, and not over 1,500 bytes.
std::string printable_message(std::string_view message);

}  // namespace heed
