#include "heed/documents/character_references.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include <gumbo.h>

#include "heed/core/text/unicode.h"

namespace heed::documents {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 5> kNames{
    {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};

/// The reference that begins `text`: & and letters, digits or #, with its semicolon; otherwise only &.
std::string_view reference_of(std::string_view text) {
  size_t end = 1;
  if (end < text.size() && text[end] == '#') ++end;
  while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
  if (end < text.size() && text[end] == ';' && end > 1) ++end;
  return text.substr(0, end);
}

std::optional<char32_t> numbered_character(std::string_view reference) {
  if (!reference.starts_with("&#") || !reference.ends_with(';')) return std::nullopt;
  std::string_view digits = reference.substr(2, reference.size() - 3);
  const bool is_hex = digits.starts_with('x') || digits.starts_with('X');
  if (is_hex) digits.remove_prefix(1);
  uint32_t code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
  const bool is_blank = code == '\t' || code == '\n' || code == '\r';
  const bool is_character =
      (code >= 0x20 || is_blank) && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) && code != 0x7F;
  if (error != std::errc() || end != digits.data() + digits.size() || !is_character) return std::nullopt;
  if (code >= 0x80 && code < 0xA0) return std::nullopt;  // HTML reads them as Windows-1252
  return code;
}

/// What HTML's parser reads.
std::string html_text(std::string_view reference) {
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  GumboOutput* output = gumbo_parse_with_options(&options, reference.data(), reference.size());
  std::string text;
  const GumboNode* node = output->root;
  while (node != nullptr && node->type == GUMBO_NODE_ELEMENT && node->v.element.children.length > 0) {
    const GumboVector& children = node->v.element.children;
    node = static_cast<const GumboNode*>(children.data[children.length - 1]);
  }
  if (node != nullptr && node->type == GUMBO_NODE_TEXT) text = node->v.text.text;
  gumbo_destroy_output(&options, output);
  return text.empty() ? " " : text;  // the parser leaves out white space, such as &Tab;
}

/// The text of a reference; absent if it is not known.
std::optional<std::string> text_of_reference(std::string_view reference, MarkupLanguage language) {
  const auto known = std::ranges::find(kNames, reference, &std::pair<std::string_view, char>::first);
  if (known != kNames.end()) return std::string(1, known->second);
  if (const auto code = numbered_character(reference)) {
    std::string text;
    append_utf8(text, *code);
    return text;
  }
  if (language == MarkupLanguage::Xml) return std::nullopt;
  return reference.size() == 1 ? std::string("&") : html_text(reference);
}

}  // namespace

DecodedText decode_references(std::string_view text, MarkupLanguage language) {
  DecodedText decoded;
  while (!text.empty()) {
    const size_t plain = std::min(text.find('&'), text.size());
    decoded.text += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::string_view reference = reference_of(text);
    const auto read = text_of_reference(reference, language);
    decoded.is_complete &= read.has_value();
    decoded.text += read.value_or(std::string(reference));
    if (read && is_character(*read)) {
      decoded.spellings.emplace_back(to_code_points(*read)[0], std::string(reference));
    }
    text.remove_prefix(reference.size());
  }
  return decoded;
}

}  // namespace heed::documents
