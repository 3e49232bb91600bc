// Finds the members of a JSON object in its text. So `heed translate` can copy the other fields of a line byte for
// byte.
//
// A parser that converts values would refuse or change text that the grammar (RFC 8259) allows. Examples are numbers
// beyond the range of double (1e400) and escapes of half a surrogate pair (\ud83d), which Python's json.dumps writes
// for half an emoji. Here only the grammar counts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::apps {

struct JsonMember {
  std::string name;        ///< with escapes replaced, as in JsonText
  std::string_view value;  ///< the text as written; a view
};

/// The type of a value, and its members if it is an object.
struct JsonValue {
  std::string_view type;            ///< "object", "array", "string", "number", "boolean" or "null"
  std::vector<JsonMember> members;  ///< of an object, in their order; names can repeat
};
/// Absent unless `text`, which must be well-formed UTF-8, is exactly one JSON value. Nesting can have any depth.
std::optional<JsonValue> parse_json(std::string_view text);

/// The type of a value from parse_json.
std::string_view json_type(std::string_view value);

/// The content of a string.
struct JsonText {
  std::string text;                 ///< well-formed UTF-8: each unpaired surrogate is replaced by U+FFFD
  std::string_view half_pair = {};  ///< the first escape of an unpaired surrogate, as written; empty: none
};
/// value: a string from parse_json, with its quotes.
JsonText json_text(std::string_view value);

}  // namespace heed::apps
