// Numbers and strings in Python's notation, for programs whose arguments and output must be identical to a Python
// program's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heed {

/// Python's int(text): outer white space, a sign and single underscores between digits are allowed. Absent if `text` is
/// not a number or does not fit.
std::optional<int64_t> parse_python_int(std::string_view text);
/// Python's float(text): the same, with a point, an exponent, "inf", "infinity" or "nan".
std::optional<double> parse_python_float(std::string_view text);

/// repr(value): the shortest digits that parse to `value`; "1e-05", "1e+16", "inf", "nan".
std::string python_repr(double value);
/// repr(text) for well-formed UTF-8 of printable characters: in single quotes, or in double quotes if it has single
/// ones.
std::string python_repr(std::string_view text);

enum class JsonCharacters { Ascii, Unicode };
/// json.dumps(text, ensure_ascii=(characters == Ascii)): non-ASCII characters as \uXXXX, or unchanged.
std::string python_json(std::string_view text, JsonCharacters characters);
/// json.dumps(value): like repr, but "NaN" and "Infinity".
std::string python_json(double value);

}  // namespace heed
