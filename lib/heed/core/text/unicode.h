// UTF-8 text as the field's reference programs see it: Python's notions of white space, characters and lower case.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

/// The byte offset of the first byte that is not part of well-formed UTF-8 (no surrogates, no overlong forms).
std::optional<size_t> first_invalid_utf8(std::string_view text);
/// `text` with every maximal ill-formed part replaced by U+FFFD, as Python's errors="replace" does.
std::string replace_invalid_utf8(std::string_view text);

/// Code points of well-formed UTF-8, and back.
std::u32string to_code_points(std::string_view text);
/// Into a string that keeps its memory.
void to_code_points(std::string_view text, std::u32string& code_points);
std::string to_utf8(std::u32string_view text);
void append_utf8(std::string& text, char32_t code_point);
/// The pieces of well-formed UTF-8, one per code point; views into `text`.
std::vector<std::string_view> characters(std::string_view text);
/// The columns that `text` takes in a terminal: two for a wide character (Chinese, Japanese, emoji), none for a
/// combining or control one.
size_t display_width(std::string_view text);
/// Whether `text` is one code point.
bool is_character(std::string_view text);

/// The general categories N, P and S of Unicode 17, whatever older version ICU has.
enum class CharacterClass : unsigned char { Other, Number, Punctuation, Symbol };
CharacterClass character_class(char32_t code_point);
/// Python's str.isspace for one code point: 09-0D 1C-20 85 A0 1680 2000-200A 2028 2029 202F 205F 3000.
bool is_space(char32_t code_point);
/// Python's str.split(): the runs between white space; views into `text`.
std::vector<std::string_view> split_whitespace(std::string_view text);
/// Into a vector that keeps its memory.
void split_whitespace(std::string_view text, std::vector<std::string_view>& words);
/// The runs between spaces, U+0020 alone; views into `text`.
std::vector<std::string_view> split_spaces(std::string_view text);
/// Python's str.rstrip() and str.strip(); views into `text`.
std::string_view strip_right(std::string_view text);
std::string_view strip(std::string_view text);
/// Python's str.lower(): full case mapping, root locale, final sigma by context. The version of Unicode is ICU's (72:
/// 15) where Python 3.11 has 14. Both have the same pairs; only Unicode 16 added some (Garay, a few of Latin), which
/// those programs lower whose Unicode has them.
std::string lower(std::string_view text);

}  // namespace heed
