// Parses rows of files of pairs. Fields are separated by TABs. If the format says so, they may have quotes as in RFC
// 4180 (https://www.rfc-editor.org/rfc/rfc4180, section 2, with TAB instead of the comma). A quoted field may contain
// TABs, and quotes that are doubled. It must end on its line: line N of a file is row N.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/data/corpus/text_format.h"

namespace heed::data {

/// Splits a row into fields as written, with their quotes; they are views into `row`. Returns what is wrong with the
/// quotes, for messages; empty if nothing is.
std::string split_fields(std::string_view row, Quotes quotes, std::vector<std::string_view>& fields);

/// Whether a field is text in one pair of quotes, with every quote inside doubled.
bool is_quoted(std::string_view field);

/// The text of a field. If the format has quotes and the field begins with one, it is the text inside them, with
/// doubled quotes made single.
void unquote(std::string_view field, Quotes quotes, std::string& text);

/// Parses a weight: a number of at least 0.
std::optional<float> parse_weight(std::string_view text);
/// Why parse_weight() does not accept a text, for messages.
std::string no_weight(std::string_view text);

}  // namespace heed::data
