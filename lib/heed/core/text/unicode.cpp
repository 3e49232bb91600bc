#include "heed/core/text/unicode.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "heed/core/error.h"

namespace heed {
namespace {

/// Reads the code point at `offset` and moves `offset` after it. Negative if it is ill-formed; then `offset` moves
/// after the maximal ill-formed part.
UChar32 next_code_point(std::string_view text, size_t& offset) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  auto position = static_cast<int64_t>(offset);
  const auto length = static_cast<int64_t>(text.size());
  UChar32 code_point = 0;
  U8_NEXT(bytes, position, length, code_point);
  offset = static_cast<size_t>(position);
  return code_point;
}

constexpr bool is_ascii_space(char32_t c) { return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20); }

/// Whether non-ASCII white space can begin with this byte.
constexpr bool may_begin_space(unsigned char byte) {
  return byte == 0xC2 || byte == 0xE1 || byte == 0xE2 || byte == 0xE3;
}

/// The bytes of the white space that begins at `offset`; 0 if none does. `offset` may also be inside a character.
size_t space_length(std::string_view text, size_t offset) {
  const auto byte = static_cast<unsigned char>(text[offset]);
  if (byte < 0x80) return is_ascii_space(byte) ? 1 : 0;
  if (!may_begin_space(byte)) return 0;
  size_t end = offset;
  const UChar32 code_point = next_code_point(text, end);
  return code_point >= 0 && is_space(static_cast<char32_t>(code_point)) ? end - offset : 0;
}

/// Calls visit(code point, begin, end) for each code point of well-formed text.
template <class Visit>
void for_each_code_point(std::string_view text, Visit&& visit) {
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin + 1;
    if (static_cast<unsigned char>(text[begin]) < 0x80) {
      visit(static_cast<char32_t>(text[begin]), begin, end);
      begin = end;
      continue;
    }
    end = begin;
    const UChar32 code_point = next_code_point(text, end);
    visit(code_point < 0 ? char32_t{0xFFFD} : static_cast<char32_t>(code_point), begin, end);
    begin = end;
  }
}

struct NewerCharacters {
  char32_t first;
  char32_t last;
  CharacterClass character_class;
};
constexpr NewerCharacters kNewerCharacters[] = {
#include "heed/core/text/newer_characters.inc"
};

/// The class of a character that this version of ICU does not know.
CharacterClass newer_class(char32_t c) {
  const auto* range = std::ranges::lower_bound(kNewerCharacters, c, {}, &NewerCharacters::last);
  return range != std::end(kNewerCharacters) && c >= range->first ? range->character_class : CharacterClass::Other;
}

CharacterClass class_by_icu(char32_t c) {
  const uint32_t category = U_GET_GC_MASK(static_cast<UChar32>(c));
  if ((category & U_GC_N_MASK) != 0) return CharacterClass::Number;
  if ((category & U_GC_P_MASK) != 0) return CharacterClass::Punctuation;
  if ((category & U_GC_S_MASK) != 0) return CharacterClass::Symbol;
  return category == U_GC_CN_MASK ? newer_class(c) : CharacterClass::Other;
}

/// Whether each byte in [begin, end) may follow the three before it. It has no branch, so that compilers vectorize it:
/// it is as fast for Chinese as for English.
bool may_follow(const uint8_t* bytes, size_t begin, size_t end) {
  uint8_t wrong = 0;
  for (size_t i = begin; i < end; ++i) {
    const uint8_t byte = bytes[i];
    const uint8_t before = bytes[i - 1];
    const uint8_t inner = (byte & 0xC0U) == 0x80;
    const uint8_t awaited = (before >= 0xC0) | (bytes[i - 2] >= 0xE0) | (bytes[i - 3] >= 0xF0);
    const uint8_t never = (byte == 0xC0) | (byte == 0xC1) | (byte >= 0xF5);
    const uint8_t overlong = ((before == 0xE0) & (byte < 0xA0)) | ((before == 0xF0) & (byte < 0x90));
    const uint8_t no_scalar = ((before == 0xED) & (byte >= 0xA0)) | ((before == 0xF4) & (byte >= 0x90));
    wrong |= (inner ^ awaited) | never | overlong | no_scalar;
  }
  return wrong == 0;
}

/// Whether at least three bytes are well-formed UTF-8.
bool well_formed(std::string_view text) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const uint8_t* last = bytes + text.size() - 3;
  const uint8_t begin[] = {0, 0, 0, bytes[0], bytes[1], bytes[2]};
  const uint8_t end[] = {last[0], last[1], last[2], 0, 0, 0};
  return may_follow(begin, 3, 6) && may_follow(bytes, 3, text.size()) && may_follow(end, 3, 6);
}

}  // namespace

std::optional<size_t> first_invalid_utf8(std::string_view text) {
  constexpr size_t kLong = 64;
  if (text.size() >= kLong && well_formed(text)) return std::nullopt;
  for (size_t offset = 0; offset < text.size();) {
    const size_t begin = offset;
    if (static_cast<unsigned char>(text[offset]) < 0x80)
      ++offset;
    else if (next_code_point(text, offset) < 0)
      return begin;
  }
  return std::nullopt;
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string replaced;
  replaced.reserve(text.size());
  for_each_code_point(text, [&](char32_t code_point, size_t, size_t) { append_utf8(replaced, code_point); });
  return replaced;
}

std::u32string to_code_points(std::string_view text) {
  std::u32string code_points;
  to_code_points(text, code_points);
  return code_points;
}

void to_code_points(std::string_view text, std::u32string& code_points) {
  code_points.clear();
  code_points.reserve(text.size());
  for_each_code_point(text, [&](char32_t code_point, size_t, size_t) { code_points.push_back(code_point); });
}

void append_utf8(std::string& text, char32_t code_point) {
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
    return;
  }
  uint8_t bytes[4];
  int32_t length = 0;
  UBool failed = false;
  U8_APPEND(bytes, length, 4, static_cast<UChar32>(code_point), failed);
  check(!failed, "append_utf8: not a Unicode scalar value");
  text.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
}

std::string to_utf8(std::u32string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (const char32_t code_point : text) append_utf8(bytes, code_point);
  return bytes;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> pieces;
  pieces.reserve(text.size());
  for_each_code_point(text,
                      [&](char32_t, size_t begin, size_t end) { pieces.push_back(text.substr(begin, end - begin)); });
  return pieces;
}

bool is_character(std::string_view text) {
  size_t end = 0;
  if (!text.empty()) next_code_point(text, end);
  return end > 0 && end == text.size();
}

CharacterClass character_class(char32_t code_point) {
  static const auto ascii = [] {
    std::array<CharacterClass, 0x80> classes{};
    for (char32_t c = 0; c < 0x80; ++c) classes[c] = class_by_icu(c);
    return classes;
  }();
  return code_point < 0x80 ? ascii[code_point] : class_by_icu(code_point);
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t offset = 0; offset < text.size();) {
    const UChar32 c = next_code_point(text, offset);
    const auto category = U_MASK(u_charType(c));
    if ((category & (U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CC_MASK | U_GC_CF_MASK)) != 0) continue;
    const int east_asian = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
    width += east_asian == U_EA_WIDE || east_asian == U_EA_FULLWIDTH ? 2 : 1;
  }
  return width;
}

bool is_space(char32_t c) {
  if (c < 0x80) return is_ascii_space(c);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

std::vector<std::string_view> split_whitespace(std::string_view text) {
  std::vector<std::string_view> words;
  split_whitespace(text, words);
  return words;
}

void split_whitespace(std::string_view text, std::vector<std::string_view>& words) {
  words.clear();
  size_t word_begin = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t length = space_length(text, i);
    if (length > 0) {
      if (i > word_begin) words.push_back(text.substr(word_begin, i - word_begin));
      word_begin = i + length;
    }
    i += std::max<size_t>(1, length);
  }
  if (word_begin < text.size()) words.push_back(text.substr(word_begin));
}

std::vector<std::string_view> split_spaces(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::string_view strip_right(std::string_view text) {
  while (!text.empty()) {
    size_t begin = text.size() - 1;
    while (begin > 0 && U8_IS_TRAIL(text[begin])) --begin;
    if (begin + space_length(text, begin) != text.size()) break;
    text = text.substr(0, begin);
  }
  return text;
}

std::string_view strip(std::string_view text) {
  text = strip_right(text);
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t length = space_length(text, begin);
    if (length == 0) break;
    begin += length;
  }
  return text.substr(begin);
}

std::string lower(std::string_view text) {
  std::string lowered;
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    lowered = text;
    for (char& c : lowered) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    return lowered;
  }
  icu::StringByteSink<std::string> sink(&lowered, static_cast<int32_t>(text.size()));
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink, nullptr,
                            status);
  check(U_SUCCESS(status), "ICU could not lower-case a text");
  return lowered;
}

}  // namespace heed
