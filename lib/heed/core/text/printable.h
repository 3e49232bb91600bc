// Makes untrusted text safe to show: on one line, without terminal control characters, and not too long. Only messages
// are changed this way, when they are written; results never are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heed {

/// `text` with Python's escapes for characters that control a terminal or hide text. These are control characters (\n,
/// \t, \x1b) and line and paragraph separators. They also are the embeddings, overrides and isolates of bidirectional
/// text (\u202e), and bytes that are not UTF-8 (\xff). Backslashes are unchanged, so escaping twice changes nothing.
std::string printable(std::string_view text);

/// `text`, shortened to at most `longest` bytes. The start and the end are kept, with an ellipsis between. longest: at
/// least 20.
std::string shortened(std::string_view text, size_t longest);

/// A message to show: printable, with quotations of more than 500 bytes shortened, and at most 1,500 bytes.
std::string printable_message(std::string_view message);

}  // namespace heed
