// The members of a JSON object where they are written, for a line whose other fields pass through byte for byte.
//
// A parser with values refuses or changes what the grammar (RFC 8259) allows: numbers beyond a double's range (1e400)
// and escapes of half a surrogate pair (\ud83d), which Python's json.dumps writes for half an emoji. Here only the
// grammar counts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::apps {

struct JsonMember {
  std::string name;        ///< its escapes replaced, as in JsonText
  std::string_view value;  ///< as it is written; a view into the text
};

/// A text as far as it has been read.
struct JsonValue {
  std::string_view type;            ///< "object", "array", "string", "number", "boolean" or "null"
  std::vector<JsonMember> members;  ///< of an object, in their order; a name can come twice
};
/// None: `text`, which is well-formed UTF-8, is not one JSON value. Any depth of nesting.
std::optional<JsonValue> parse_json(std::string_view text);

/// The type of a value that parse_json has found.
std::string_view json_type(std::string_view value);

/// What a string says.
struct JsonText {
  std::string text;                 ///< well-formed UTF-8: each half of a surrogate pair without the other is U+FFFD
  std::string_view half_pair = {};  ///< the first such escape, as it is written; empty: none
};
/// value: a string that parse_json has found, with its quotes.
JsonText json_text(std::string_view value);

}  // namespace heed::apps
