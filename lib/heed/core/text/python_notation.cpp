#include "heed/core/text/python_notation.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>
#include <unicode/uchar.h>

#include "heed/core/text/unicode.h"

namespace heed {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Replaces decimal digits of other scripts, which Python accepts, by 0 to 9.
std::string with_ascii_digits(std::string_view text) {
  std::string digits;
  for (const char32_t c : to_code_points(text)) {
    const int32_t value = c < 0x80 ? -1 : u_charDigitValue(static_cast<UChar32>(c));
    append_utf8(digits, value < 0 ? c : static_cast<char32_t>('0' + value));
  }
  return digits;
}

/// Removes outer white space and underscores. Absent if an underscore is not between two digits.
std::optional<std::string> plain_digits(std::string_view given) {
  const std::string text = with_ascii_digits(strip(given));
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      plain += text[i];
    } else if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1])) {
      return std::nullopt;
    }
  }
  // from_chars does not accept a plus sign. A second sign after it is an error.
  if (plain.starts_with('+')) {
    plain.erase(0, 1);
    if (plain.starts_with('-')) return std::nullopt;
  }
  return plain.empty() ? std::nullopt : std::optional(plain);
}

/// Digits, and the power of ten of the first one: 0.0012 is "12" and -3.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal shortest_decimal(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific).ptr;
  const std::string_view written(text.data(), static_cast<size_t>(end - text.data()));
  const size_t e = written.find('e');
  Decimal decimal;
  for (const char c : written.substr(0, e)) {
    if (is_digit(c)) decimal.digits += c;
  }
  const char* exponent = text.data() + e + (written[e + 1] == '+' ? 2 : 1);
  std::from_chars(exponent, end, decimal.exponent);
  return decimal;
}

std::string escaped_unit(unsigned unit) { return fmt::format("\\u{:04x}", unit); }

std::string json_escape(char32_t c, JsonCharacters characters) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    default:
      break;
  }
  if (c < 0x20 || (c == 0x7F && characters == JsonCharacters::Ascii)) return escaped_unit(c);
  std::string text;
  if (c < 0x80 || characters == JsonCharacters::Unicode)
    append_utf8(text, c);
  else if (c < 0x10000)
    text = escaped_unit(c);
  else
    text = escaped_unit(0xD800 + ((c - 0x10000) >> 10)) + escaped_unit(0xDC00 + ((c - 0x10000) & 0x3FF));
  return text;
}

}  // namespace

std::optional<int64_t> parse_python_int(std::string_view text) {
  const auto plain = plain_digits(text);
  if (!plain) return std::nullopt;
  int64_t value = 0;
  const char* end = plain->data() + plain->size();
  const auto [rest, error] = std::from_chars(plain->data(), end, value);
  return error == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

std::optional<double> parse_python_float(std::string_view text) {
  const auto plain = plain_digits(text);
  // from_chars accepts "nan(...)", but Python does not.
  if (!plain || plain->find('(') != std::string::npos) return std::nullopt;
  double value = 0;
  const char* end = plain->data() + plain->size();
  const auto [rest, error] = std::from_chars(plain->data(), end, value);
  if (rest != end || error == std::errc::invalid_argument) return std::nullopt;
  if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();  // Python prints nan without a sign
  // Too large or too small for a double: infinity or zero, as in strtod.
  return error == std::errc{} ? value : std::strtod(plain->c_str(), nullptr);
}

std::string python_repr(double value) {
  if (std::isnan(value)) return "nan";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "inf";
  const auto [digits, exponent] = shortest_decimal(std::abs(value));
  const std::string_view all = digits;
  const int behind_first = static_cast<int>(all.size()) - 1;
  if (exponent < -4 || exponent >= 16) {
    return fmt::format("{}{}{}{}e{}{:02}", sign, all.substr(0, 1), behind_first > 0 ? "." : "", all.substr(1),
                       exponent < 0 ? '-' : '+', std::abs(exponent));
  }
  if (exponent < 0) return fmt::format("{}0.{:0>{}}", sign, all, behind_first - exponent);
  if (behind_first <= exponent) return fmt::format("{}{:0<{}}.0", sign, all, exponent + 1);
  const auto point = static_cast<size_t>(exponent) + 1;
  return fmt::format("{}{}.{}", sign, all.substr(0, point), all.substr(point));
}

std::string python_repr(std::string_view text) {
  const char quote = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string written(1, quote);
  for (const char c : text) {
    if (c == '\n')
      written += "\\n";
    else if (c == '\r')
      written += "\\r";
    else if (c == '\t')
      written += "\\t";
    else if (c == quote || c == '\\')
      written.append({'\\', c});
    else
      written += c;
  }
  return written + quote;
}

std::string python_json(std::string_view text, JsonCharacters characters) {
  std::string written = "\"";
  for (const char32_t c : to_code_points(text)) written += json_escape(c, characters);
  return written + '"';
}

std::string python_json(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  return python_repr(value);
}

}  // namespace heed
