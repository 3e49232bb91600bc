// The messages of PO files, gettext's format for the texts of programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "heed/documents/document.h"

namespace heed::documents {

/// A keyword's string: msgid "...", which may have further lines.
struct PoString {
  std::string text = {};  ///< without escapes
  Range quoted = {};      ///< from its first quote to its last
};

/// A message. It has an id and at least one translation.
struct PoEntry {
  std::optional<PoString> context = {}, id = {}, plural = {};
  std::map<std::string, PoString> translations = {};  ///< by keyword: msgstr, msgstr[0], ...
  std::optional<Range> flags = {};                    ///< the line `#, c-format`
  size_t begin = 0;                                   ///< of the first keyword
  int64_t line = 0;                                   ///< the line of the first keyword, from 1

  /// Whether it is the header of the file: its id is empty.
  bool is_header() const { return id->text.empty() && !context; }
};

/// Calls use() for each message, in their order. Obsolete messages (#~) are left out. source: well-formed UTF-8. name:
/// of the file, for messages. Throws InputError.
void read_po_entries(std::string_view source, const std::string& name, const std::function<void(const PoEntry&)>& use);

/// Appends text with the escapes of a string in quotes: \n, \", \\, \033, ...
void append_po_escaped(std::string& out, std::string_view text);

}  // namespace heed::documents
