// UTF-8 text with Python's definitions of white space, characters and lower case, as in the field's reference programs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

/// The offset of the first byte that is not well-formed UTF-8 (no surrogates, no overlong forms).
std::optional<size_t> first_invalid_utf8(std::string_view text);
/// `text` with each maximal ill-formed part replaced by U+FFFD, like Python's errors="replace".
std::string replace_invalid_utf8(std::string_view text);

/// Code points of well-formed UTF-8, and back.
std::u32string to_code_points(std::string_view text);
/// The same into a string whose memory is reused.
void to_code_points(std::string_view text, std::u32string& code_points);
std::string to_utf8(std::u32string_view text);
void append_utf8(std::string& text, char32_t code_point);
/// One piece per code point of well-formed UTF-8; views into `text`.
std::vector<std::string_view> characters(std::string_view text);
/// The columns of `text` in a terminal: two for a wide character (Chinese, Japanese, emoji), zero for a combining or
/// control character.
size_t display_width(std::string_view text);
/// Whether `text` is one code point.
bool is_character(std::string_view text);

/// The general categories N, P and S of Unicode 17, even if ICU has an older version.
enum class CharacterClass : unsigned char { Other, Number, Punctuation, Symbol };
CharacterClass character_class(char32_t code_point);
/// Python's str.isspace for one code point: 09-0D 1C-20 85 A0 1680 2000-200A 2028 2029 202F 205F 3000.
bool is_space(char32_t code_point);
/// Python's str.split(): the runs between white space; views into `text`.
std::vector<std::string_view> split_whitespace(std::string_view text);
/// The same into a vector whose memory is reused.
void split_whitespace(std::string_view text, std::vector<std::string_view>& words);
/// The runs between spaces (only U+0020); views into `text`.
std::vector<std::string_view> split_spaces(std::string_view text);
/// Python's str.rstrip() and str.strip(); views into `text`.
std::string_view strip_right(std::string_view text);
std::string_view strip(std::string_view text);
/// Python's str.lower(): full case mapping, root locale, final sigma by context. The Unicode version is ICU's (72:
/// Unicode 15); Python 3.11 has Unicode 14. Both have the same case pairs. Only Unicode 16 added pairs (Garay, a few
/// Latin letters), which programs with that version map.
std::string lower(std::string_view text);

}  // namespace heed
