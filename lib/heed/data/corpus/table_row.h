// Rows of files of pairs: fields with TABs between them, and with quotes as RFC 4180 defines them if the format says so
// (https://www.rfc-editor.org/rfc/rfc4180, section 2, with TAB instead of the comma). A field in quotes may contain
// TABs, and a quote written as two. It must end on its line: line N of a file is row N.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/data/corpus/text_format.h"

namespace heed::data {

/// The fields of a row as written, with their quotes; views into `row`. Returns what is wrong with the quotes, for
/// messages; empty: nothing.
std::string split_fields(std::string_view row, Quotes quotes, std::vector<std::string_view>& fields);

/// Whether a field is one pair of quotes with text between them, in which each quote is doubled.
bool is_quoted(std::string_view field);

/// The text of a field: what its quotes enclose, with one quote for two, if the format has quotes and it begins with
/// one.
void unquote(std::string_view field, Quotes quotes, std::string& text);

/// A number of at least 0.
std::optional<float> parse_weight(std::string_view text);
/// What is wrong with a text that parse_weight() does not take, for messages.
std::string no_weight(std::string_view text);

}  // namespace heed::data
