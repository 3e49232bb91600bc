#include "heed/text/bpe/python/python_pattern.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <unicode/uchar.h>

#include "heed/core/text/unicode.h"

namespace heed::text {
namespace {

constexpr std::u32string_view kWord = U"\\p{L}\\p{N}_";
constexpr std::u32string_view kAsciiWord = U"a-zA-Z0-9_";
// As in Python's str.isspace.
constexpr std::u32string_view kSpace =
    U"\\u0009-\\u000D\\u001C-\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000";
constexpr std::u32string_view kAsciiSpace = U"\\u0009-\\u000D\\u0020";
constexpr std::u32string_view kAsciiDigit = U"0-9";
constexpr std::u32string_view kDigit = U"\\p{Nd}";

class Translation {
 public:
  Translation(std::u32string_view python, bool bytes) : rest_(python), bytes_(bytes) {}

  std::u32string run() {
    while (!rest_.empty()) {
      if (rest_[0] == U'\\')
        escape();
      else if (rest_[0] == U'[')
        set();
      else if (rest_[0] == U'{' && !is_quantifier())
        literal(take(1));
      else if (take_if(U"(?P<"))
        group();
      else if (take_if(U"(?P="))
        reference();
      else if (rest_.starts_with(U"(?("))
        throw std::invalid_argument("conditional groups, (?(...)a|b), are not supported");
      else if (rest_[0] == U'}')
        literal(take(1));
      else
        icu_ += take(1);
    }
    return std::move(icu_);
  }

 private:
  std::u32string_view take(size_t count) {
    const auto taken = rest_.substr(0, count);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  bool take_if(std::u32string_view text) {
    if (!rest_.starts_with(text)) return false;
    take(text.size());
    return true;
  }
  void literal(std::u32string_view character) { (icu_ += U'\\') += character; }

  /// Whether a quantifier follows: {3}, {3,}, {,3}, {,} or {3,4}. Copies it, with the 0 that ICU requires before a
  /// comma.
  bool is_quantifier() {
    const size_t end = rest_.find(U'}');
    if (end == std::u32string_view::npos) return false;
    const auto inner = rest_.substr(1, end - 1);
    if (inner.find_first_not_of(U"0123456789,") != std::u32string_view::npos) return false;
    if (inner.empty() || inner.find(U',') != inner.rfind(U',')) return false;
    icu_ += inner.starts_with(U',') ? U"{0" : U"{";
    (icu_ += inner) += U"}";
    take(end + 1);
    if (rest_.empty()) return true;
    return icu_ += take_if(U"?") ? U"?" : (take_if(U"+") ? U"+" : U""), true;
  }

  /// ICU allows only letters and digits in names of groups. So each name is replaced by a generated one.
  std::u32string icu_name_of(std::u32string_view name) {
    const auto number = names_.try_emplace(std::u32string(name), names_.size()).first->second;
    std::u32string made = U"g";
    for (const char digit : std::to_string(number)) made += static_cast<char32_t>(digit);
    return made;
  }
  void group() {
    const size_t end = std::min(rest_.find(U'>'), rest_.size());
    icu_ += U"(?<" + icu_name_of(take(end));
  }
  void reference() {
    const size_t end = std::min(rest_.find(U')'), rest_.size());
    icu_ += U"\\k<" + icu_name_of(take(end)) + U">";
    take(1);
  }

  static bool is_octal(char32_t digit) { return digit >= U'0' && digit <= U'7'; }
  /// The number of octal digits that follow, at most three.
  size_t octal_digits() const {
    size_t count = 0;
    while (count < std::min<size_t>(3, rest_.size()) && is_octal(rest_[count])) ++count;
    return count;
  }
  void octal(size_t digits) {
    uint32_t value = 0;
    for (const char32_t digit : take(digits)) value = 8 * value + (digit - U'0');
    hexadecimal(value);
  }

  /// The members of the class \w, \s, \d or its upper-case form. Empty for other letters.
  std::u32string_view members(char32_t letter) const {
    switch (letter) {
      case U'w':
      case U'W':
        return bytes_ ? kAsciiWord : kWord;
      case U's':
      case U'S':
        return bytes_ ? kAsciiSpace : kSpace;
      case U'd':
      case U'D':
        return bytes_ ? kAsciiDigit : kDigit;
      default:
        return {};
    }
  }
  std::u32string named_set(char32_t letter) const {
    const bool negated = letter == U'W' || letter == U'S' || letter == U'D';
    return std::u32string(negated ? U"[^" : U"[").append(members(letter)).append(U"]");
  }

  void escape() {
    take(1);
    if (rest_.empty()) {
      icu_ += U'\\';  // ICU rejects it, like Python
      return;
    }
    const size_t digits = octal_digits();
    if (digits > 0 && (rest_[0] == U'0' || digits == 3)) return octal(digits);  // other digits refer to a group
    const char32_t letter = take(1)[0];
    if (escape_of_character(letter)) return;
    if (!members(letter).empty()) {
      icu_ += named_set(letter);
    } else if (letter == U'b' || letter == U'B') {
      const std::u32string word = named_set(U'w');
      const std::u32string inside = U"(?<=" + word + U")(?=" + word + U")|(?<!" + word + U")(?!" + word + U")";
      const std::u32string edge = U"(?<=" + word + U")(?!" + word + U")|(?<!" + word + U")(?=" + word + U")";
      icu_ += U"(?:" + (letter == U'b' ? edge : inside) + U")";
    } else if (letter == U'Z') {
      icu_ += U"\\z";
    } else if (letter == U'A') {
      icu_ += U"\\A";
    } else {
      other_escape(letter);
    }
  }

  void hexadecimal(uint32_t value) {
    icu_ += U"\\x{";
    for (const char digit : fmt::format("{:x}", value)) icu_ += static_cast<char32_t>(digit);
    icu_ += U"}";
  }
  /// Writes the single character that an escape means, in a set or outside. Returns false for other escapes. letter:
  /// the one after the backslash, already read.
  bool escape_of_character(char32_t letter) {
    constexpr std::u32string_view kLetters = U"afnrtv", kMeant = U"\a\f\n\r\t\v";
    if (const size_t place = kLetters.find(letter); place != std::u32string_view::npos) {
      hexadecimal(kMeant[place]);
    } else if (letter == U'x') {
      hexadecimal(digits_of_escape(letter, 2));
    } else if (!bytes_ && (letter == U'u' || letter == U'U')) {
      hexadecimal(digits_of_escape(letter, letter == U'u' ? 4 : 8));
    } else if (!bytes_ && letter == U'N') {
      hexadecimal(named_character());
    } else {
      return false;
    }
    return true;
  }
  uint32_t digits_of_escape(char32_t letter, size_t count) {
    const std::string digits = to_utf8(take(count));
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    const bool complete = digits.size() == count && error == std::errc() && end == digits.data() + count;
    if (!complete || value > UCHAR_MAX_VALUE) {
      throw std::invalid_argument(fmt::format("\\{} needs {} hexadecimal digits of a character, but has `{}`",
                                              static_cast<char>(letter), count, digits));
    }
    return value;
  }
  /// Reads \N{LATIN SMALL LETTER A}.
  uint32_t named_character() {
    const size_t end = rest_.find(U'}');
    if (!rest_.starts_with(U'{') || end == std::u32string_view::npos) {
      throw std::invalid_argument("\\N needs the name of a character, such as \\N{DIGIT ONE}");
    }
    const std::string name = to_utf8(take(end + 1).substr(1, end - 1));
    for (const UCharNameChoice choice : {U_UNICODE_CHAR_NAME, U_CHAR_NAME_ALIAS}) {
      UErrorCode status = U_ZERO_ERROR;
      const UChar32 found = u_charFromName(choice, name.c_str(), &status);
      if (U_SUCCESS(status)) return static_cast<uint32_t>(found);
    }
    throw std::invalid_argument(fmt::format("no character has the name `{}`", name));
  }
  /// Writes an escaped special character, which is then literal. Like Python, rejects other escapes of letters.
  void other_escape(char32_t letter) {
    const bool is_ascii_letter = (letter >= U'a' && letter <= U'z') || (letter >= U'A' && letter <= U'Z');
    if (is_ascii_letter) throw std::invalid_argument(fmt::format("\\{} is not an escape", static_cast<char>(letter)));
    literal({&letter, 1});
  }

  /// Writes a set [...]. ICU has nested sets and set operators; in Python these are literal characters.
  void set() {
    icu_ += take(1);
    if (take_if(U"^")) icu_ += U'^';
    for (bool first = true; !rest_.empty() && (first || rest_[0] != U']'); first = false) {
      if (rest_[0] == U'\\')
        set_escape();
      else if (std::u32string_view(U"[]&{}$:").find(rest_[0]) != std::u32string_view::npos)
        literal(take(1));
      else
        icu_ += take(1);
    }
    icu_ += take(1);
  }
  void set_escape() {
    take(1);
    if (rest_.empty()) return;
    if (const size_t digits = octal_digits(); digits > 0) return octal(digits);
    const char32_t letter = take(1)[0];
    if (escape_of_character(letter)) return;
    if (!members(letter).empty())
      icu_ += named_set(letter);
    else if (letter == U'b')
      icu_ += U"\\u0008";
    else
      other_escape(letter);
  }

  std::u32string_view rest_;
  bool bytes_;
  std::map<std::u32string, size_t> names_;  // names of groups
  std::u32string icu_;
};

}  // namespace

std::u32string icu_pattern(std::u32string_view python, bool bytes) { return Translation(python, bytes).run(); }

}  // namespace heed::text
