#include "translate/json_object.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "heed/core/text/unicode.h"

namespace heed::apps {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A parser for the JSON grammar. Each function reads what it is named after and the white space after it. It returns
/// false if the text does not match.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) { space(); }

  bool at_end() const { return at_ == text_.size(); }
  char next() const { return at_end() ? '\0' : text_[at_]; }

  /// Reads a value of any depth, without recursion.
  bool value() {
    std::string open;  // closing brackets of the open arrays and objects, the innermost last
    for (;;) {
      if (mark('[')) {
        open += ']';
        if (next() != ']') continue;
      } else if (mark('{')) {
        open += '}';
        if (next() != '}') {
          if (!name()) return false;
          continue;
        }
      } else if (!scalar()) {
        return false;
      }
      while (!open.empty() && mark(open.back())) open.pop_back();
      if (open.empty()) return true;
      if (!mark(',') || (open.back() == '}' && !name())) return false;
    }
  }

  /// Reads an object's members.
  bool object(std::vector<JsonMember>& members) {
    if (!mark('{')) return false;
    if (mark('}')) return true;
    do {
      JsonMember member;
      if (!name(&member.name)) return false;
      const size_t begin = at_;
      if (!value()) return false;
      member.value = strip_right(text_.substr(begin, at_ - begin));
      members.push_back(std::move(member));
    } while (mark(','));
    return mark('}');
  }

 private:
  void space() {
    while (!at_end() && std::string_view(" \t\n\r").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool character(char c) {
    if (next() != c || at_end()) return false;
    ++at_;
    return true;
  }
  bool mark(char c) {
    if (!character(c)) return false;
    space();
    return true;
  }
  /// Reads a member's name and the colon.
  bool name(std::string* found = nullptr) {
    const size_t begin = at_;
    if (!string()) return false;
    if (found != nullptr) *found = json_text(text_.substr(begin, at_ - begin)).text;
    space();
    return mark(':');
  }
  bool scalar() {
    const bool found = string() || number() || word("true") || word("false") || word("null");
    space();
    return found;
  }
  bool word(std::string_view wanted) {
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }
  bool string() {
    if (!character('"')) return false;
    while (!character('"')) {
      if (at_end() || static_cast<unsigned char>(next()) < 0x20) return false;
      const bool is_escape = next() == '\\';
      ++at_;
      if (is_escape && !escape()) return false;
    }
    return true;
  }
  bool escape() {
    if (!character('u'))
      return !at_end() && std::string_view("\"\\/bfnrt").find(text_[at_++]) != std::string_view::npos;
    constexpr std::string_view kHexadecimal = "0123456789abcdefABCDEF";
    for (int i = 0; i < 4; ++i) {
      if (at_end() || kHexadecimal.find(text_[at_++]) == std::string_view::npos) return false;
    }
    return true;
  }
  bool number() {
    character('-');
    if (!character('0') && !digits()) return false;
    if (character('.') && !digits()) return false;
    if (character('e') || character('E')) {
      if (!character('+')) character('-');
      return digits();
    }
    return true;
  }
  bool digits() {
    const size_t begin = at_;
    while (is_digit(next())) ++at_;
    return at_ > begin;
  }

  std::string_view text_;
  size_t at_ = 0;
};

char32_t code_unit(std::string_view hexadecimal) {
  uint32_t unit = 0;
  std::from_chars(hexadecimal.data(), hexadecimal.data() + hexadecimal.size(), unit, 16);
  return unit;
}

/// The character of the escape at position i of a string, and its length; half a surrogate pair is U+FFFD.
struct Escape {
  char32_t character;
  size_t length;
  bool half = false;
};
Escape escape_at(std::string_view text, size_t i) {
  constexpr std::string_view kLetters = "bfnrt", kMeanings = "\b\f\n\r\t";
  const char kind = text[i + 1];
  if (kind != 'u') {
    const size_t place = kLetters.find(kind);
    return {.character = static_cast<char32_t>(place == kLetters.npos ? kind : kMeanings[place]), .length = 2};
  }
  const char32_t unit = code_unit(text.substr(i + 2, 4));
  if (unit < 0xD800 || unit > 0xDFFF) return {.character = unit, .length = 6};
  if (unit < 0xDC00 && text.substr(i + 6).starts_with("\\u")) {
    const char32_t low = code_unit(text.substr(i + 8, 4));
    if (low >= 0xDC00 && low <= 0xDFFF) {
      return {.character = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00), .length = 12};
    }
  }
  return {.character = 0xFFFD, .length = 6, .half = true};
}

}  // namespace

std::optional<JsonValue> parse_json(std::string_view text) {
  JsonReader reader(text);
  JsonValue found{.type = json_type(strip(text)), .members = {}};
  const bool read = found.type == "object" ? reader.object(found.members) : reader.value();
  if (!read || !reader.at_end()) return std::nullopt;
  return found;
}

std::string_view json_type(std::string_view value) {
  switch (value.empty() ? '\0' : value.front()) {
    case '{':
      return "object";
    case '[':
      return "array";
    case '"':
      return "string";
    case 't':
    case 'f':
      return "boolean";
    case 'n':
      return "null";
    default:
      return "number";
  }
}

JsonText json_text(std::string_view value) {
  JsonText found;
  const std::string_view text = value.substr(1, value.size() - 2);
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find('\\', i), text.size());
    found.text += text.substr(i, end - i);
    i = end;
    if (i == text.size()) break;
    const Escape escape = escape_at(text, i);
    append_utf8(found.text, escape.character);
    if (escape.half && found.half_pair.empty()) found.half_pair = text.substr(i, escape.length);
    i += escape.length;
  }
  return found;
}

}  // namespace heed::apps
