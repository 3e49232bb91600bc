#include "heed/core/text/printable.h"

#include <algorithm>

#include <unicode/utf8.h>

#include <fmt/format.h>

namespace heed {
namespace {

constexpr size_t kLongestQuotation = 500;  // bytes
constexpr size_t kLongestMessage = 1500;
constexpr std::string_view kQuotes = "`\"";
constexpr std::string_view kEllipsis = " ... ";

bool is_steering(UChar32 c) {
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool separator = c == 0x2028 || c == 0x2029;
  const bool bidirectional = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return control || separator || bidirectional;
}

std::string escape_of(UChar32 c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  return c < 0x100 ? fmt::format("\\x{:02x}", c) : fmt::format("\\u{:04x}", c);
}

/// Calls visit(code point, its bytes) for each character. The code point is negative for bytes that are not UTF-8.
template <class Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto length = static_cast<int64_t>(text.size());
  for (int64_t begin = 0, end = 0; begin < length; begin = end) {
    UChar32 c = 0;
    U8_NEXT(bytes, end, length, c);
    visit(c, text.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
  }
}

bool is_within_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for_each_character(text, [&](UChar32 c, std::string_view bytes) {
    if (c < 0) {
      for (const char byte : bytes) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    } else if (is_steering(c)) {
      shown += escape_of(c);
    } else {
      shown += bytes;
    }
  });
  return shown;
}

std::string shortened(std::string_view text, size_t longest) {
  if (text.size() <= longest) return std::string(text);
  size_t head = (longest - kEllipsis.size()) * 2 / 3, tail = text.size() - (longest - kEllipsis.size() - head);
  while (head > 0 && is_within_character(text[head])) --head;
  while (tail < text.size() && is_within_character(text[tail])) ++tail;
  return std::string(text.substr(0, head)).append(kEllipsis).append(text.substr(tail));
}

std::string printable_message(std::string_view message) {
  const std::string text = printable(message);
  std::string shown;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find_first_of(kQuotes, begin), text.size());
    shown += shortened(std::string_view(text).substr(begin, end - begin), kLongestQuotation);
    if (end < text.size()) shown += text[end];
    begin = end + 1;
  }
  return shortened(shown, kLongestMessage);
}

}  // namespace heed
