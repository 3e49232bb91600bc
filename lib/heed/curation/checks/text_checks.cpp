#include "heed/curation/checks/text_checks.h"

#include <algorithm>
#include <array>
#include <optional>

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "heed/core/text/unicode.h"

namespace heed::curation {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// The characters of Windows-1252 for the bytes 80 to 9F; 0: none.
constexpr std::array<char32_t, 32> kWindows1252{0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                                0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

/// The byte that is this character in Latin-1 or Windows-1252, if it is not ASCII.
std::optional<uint8_t> byte_of(char32_t c) {
  if (c >= 0x80 && c <= 0xFF) return static_cast<uint8_t>(c);
  const auto* found = std::ranges::find(kWindows1252, c);
  if (c == 0 || found == kWindows1252.end()) return std::nullopt;
  return static_cast<uint8_t>(0x80 + (found - kWindows1252.begin()));
}

/// Reads the characters from `at` on as bytes of UTF-8. Returns the character that they encode; 0: none.
char32_t misread_character(std::u32string_view text, size_t at) {
  const auto first = byte_of(text[at]);
  if (!first || *first < 0xC2 || *first > 0xF4) return 0;
  const size_t more = *first < 0xE0 ? 1 : *first < 0xF0 ? 2 : 3;
  if (at + more >= text.size()) return 0;
  char32_t character = *first & (0x3FU >> more);
  for (size_t i = 1; i <= more; ++i) {
    const auto byte = byte_of(text[at + i]);
    if (!byte || *byte < 0x80 || *byte > 0xBF) return 0;
    character = character << 6U | (*byte & 0x3FU);
  }
  return character;
}

/// Whether a character is frequent in text, so that finding its misread bytes is not a coincidence.
bool is_usual(char32_t c) {
  if (c >= 0x10000) return true;
  if (c >= 0xA0 && c < 0x180) return true;  // Latin-1, Latin Extended-A
  return (c >= 0x2010 && c <= 0x2044) || c == 0x20AC || c >= 0x3000 || (c >= 0x370 && c < 0x530);
}

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == ':';
}
bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

size_t end_of_name(std::string_view text, size_t at) {
  while (at < text.size() && is_name_character(text[at])) ++at;
  return at;
}

/// `<name`, `</name` with everything up to `>`: the tag without its attributes. Returns its end; 0: none.
size_t take_tag(std::string_view text, size_t at, std::vector<std::string>& found) {
  const size_t name = at + 1 + (at + 1 < text.size() && text[at + 1] == '/');
  const size_t end = end_of_name(text, name);
  if (end == name || !is_alphanumeric(text[name])) return 0;
  const size_t close = text.find_first_of("<>", end);
  if (close == std::string_view::npos || text[close] == '<') return 0;
  if (text[end] != '>' && text[end] != ' ' && text[end] != '/') return 0;
  found.push_back(std::string(text.substr(at, end - at)) + (text[close - 1] == '/' ? "/>" : ">"));
  return close + 1;
}

size_t take_entity(std::string_view text, size_t at, std::vector<std::string>& found) {
  size_t end = at + 1;
  if (end < text.size() && text[end] == '#') ++end;
  while (end < text.size() && is_alphanumeric(text[end])) ++end;
  if (end == text.size() || text[end] != ';' || end - at < 3 || end - at > 10) return 0;
  found.emplace_back(text.substr(at, end + 1 - at));
  return end + 1;
}

/// "{0}", "{name}", "${name}", "%{name}": `open` is the place of the brace.
size_t take_braces(std::string_view text, size_t at, size_t open, std::vector<std::string>& found) {
  const size_t end = end_of_name(text, open + 1);
  if (end == text.size() || text[end] != '}') return 0;
  found.emplace_back(text.substr(at, end + 1 - at));
  return end + 1;
}

/// "%s", "%1$d", "%1", "%(name)s", "%PRODUCTNAME".
size_t take_percent(std::string_view text, size_t at, std::vector<std::string>& found) {
  size_t end = at + 1;
  if (end < text.size() && text[end] == '{') return take_braces(text, at, end, found);
  if (end < text.size() && text[end] == '(') {
    const size_t close = end_of_name(text, end + 1);
    if (close + 1 >= text.size() || text[close] != ')') return 0;
    end = close + 2;
  } else {
    while (end < text.size() &&
           (is_digit(static_cast<unsigned char>(text[end])) || text[end] == '$' || text[end] == '.'))
      ++end;
    if (end < text.size() && std::string_view("sdifuxXcpeEgG@").find(text[end]) != std::string_view::npos &&
        (end + 1 == text.size() || !is_alphanumeric(text[end + 1]))) {
      ++end;
    } else if (end == at + 1) {
      while (end < text.size() && ((text[end] >= 'A' && text[end] <= 'Z') || text[end] == '_')) ++end;
      if (end < at + 4) return 0;
    }
  }
  found.emplace_back(text.substr(at, end - at));
  return end;
}

size_t take_variable(std::string_view text, size_t at, std::vector<std::string>& found) {
  size_t end = at + 1;
  if (end < text.size() && text[end] == '{') return take_braces(text, at, end, found);
  if (end == text.size() || !((text[end] >= 'a' && text[end] <= 'z') || text[end] == '_')) return 0;
  while (end < text.size() && (is_alphanumeric(text[end]) || text[end] == '_')) ++end;
  found.emplace_back(text.substr(at, end - at));
  return end;
}

size_t take_address(std::string_view text, size_t at, std::vector<std::string>& found) {
  const std::string_view rest = text.substr(at);
  if (!rest.starts_with("http://") && !rest.starts_with("https://")) return 0;
  size_t end = at;
  while (end < text.size() && static_cast<unsigned char>(text[end]) > ' ' && text[end] != '<' && text[end] != '"')
    ++end;
  while (std::string_view(".,;:!?)'").find(text[end - 1]) != std::string_view::npos) --end;
  found.emplace_back("https://");  // its path is often that of the language
  return end;
}

size_t take_markup(std::string_view text, size_t at, std::vector<std::string>& found) {
  switch (text[at]) {
    case '<':
      return take_tag(text, at, found);
    case '&':
      return take_entity(text, at, found);
    case '{':
      return take_braces(text, at, at, found);
    case '%':
      return take_percent(text, at, found);
    case '$':
      return take_variable(text, at, found);
    case 'h':
      return take_address(text, at, found);
    default:
      return 0;
  }
}

bool is_sentence_end(char32_t c) {
  constexpr std::u32string_view kEnds = U".!?…。！？｡।؟۔";
  return kEnds.find(c) != std::u32string_view::npos;
}

bool closes(char32_t c) {
  constexpr std::u32string_view kClosing = U"\"'”’»›)]}“‘«」』）*";
  return is_space(c) || kClosing.find(c) != std::u32string_view::npos;
}

}  // namespace

bool has_wrong_encoding(std::u32string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] < 0x80) continue;
    if (text[i] == kReplacement) return true;
    if (const char32_t meant = misread_character(text, i); meant != 0 && is_usual(meant)) return true;
  }
  return false;
}

bool has_control_characters(std::u32string_view text) {
  return std::ranges::any_of(text, [](char32_t c) {
    if (c < 0x20) return c != '\t';
    return (c >= 0x7F && c < 0xA0) || (c & 0xFFFEU) == 0xFFFEU || (c >= 0xFDD0 && c <= 0xFDEF);
  });
}

std::vector<std::string> markup_of(std::string_view text) {
  std::vector<std::string> found;
  for (size_t at = 0; at < text.size();) {
    const size_t end = take_markup(text, at, found);
    at = end > at ? end : at + 1;
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> numbers_of(std::u32string_view text) {
  std::vector<std::string> numbers;
  const auto separates = [](char32_t c) {
    return c == '.' || c == ',' || c == '\'' || c == 0xA0 || c == 0x202F || c == 0x2019;
  };
  for (size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    std::string digits;
    for (; i < text.size(); ++i) {
      if (is_digit(text[i])) {
        digits += static_cast<char>(text[i]);
      } else if (!separates(text[i]) || i + 1 == text.size() || !is_digit(text[i + 1])) {
        break;
      }
    }
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    numbers.push_back(std::move(digits));
  }
  std::ranges::sort(numbers);
  return numbers;
}

int64_t count_sentences(std::u32string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  int64_t sentences = text.empty() ? 0 : 1;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!is_sentence_end(text[i])) continue;
    const bool is_wide = text[i] >= 0x3000;
    const bool is_number = text[i] == '.' && i > 0 && is_digit(text[i - 1]);                           // "am 3. Mai"
    const bool is_initial = text[i] == '.' && (i < 2 || is_space(text[i - 2]) || text[i - 2] == '.');  // "z. B."
    size_t next = i + 1;
    while (next < text.size() && (closes(text[next]) && !is_space(text[next]))) ++next;
    const bool before_space = next < text.size() && is_space(text[next]);
    while (next < text.size() && is_space(text[next])) ++next;
    if (next == text.size()) break;
    if (is_wide || (before_space && !is_number && !is_initial && !u_islower(static_cast<UChar32>(text[next]))))
      ++sentences;
    i = next - 1;
  }
  return sentences;
}

bool ends_as_sentence(std::u32string_view text) {
  while (!text.empty() && closes(text.back())) text.remove_suffix(1);
  if (text.empty()) return false;
  constexpr std::u32string_view kOthers = U":;：；—-–";
  return is_sentence_end(text.back()) || kOthers.find(text.back()) != std::u32string_view::npos;
}

bool mixes_scripts(const SideText& text) {
  for (const std::u32string_view word : text.words()) {
    bool latin = false, other = false;
    for (const char32_t c : word) {
      if (c < 0x80) {
        latin = latin || c >= 'a';
        continue;
      }
      UErrorCode error = U_ZERO_ERROR;
      const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &error);
      latin = latin || script == USCRIPT_LATIN;
      // µ and single Greek letters in formulas are no mixture: Greek counts only next to another letter of it.
      other = other || script == USCRIPT_CYRILLIC || script == USCRIPT_ARMENIAN || script == USCRIPT_HEBREW ||
              script == USCRIPT_ARABIC;
    }
    if (latin && other) return true;
  }
  return false;
}

}  // namespace heed::curation
