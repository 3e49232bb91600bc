#include "heed/documents/escaped_text.h"

#include <algorithm>

#include "heed/core/text/unicode.h"
#include "heed/documents/po_entries.h"
#include "heed/documents/text_document.h"

namespace heed::documents {
namespace {

std::string_view markup_escape(char c, Escape escape) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return escape == Escape::Subtitle ? "&gt;" : "";
    case '"':
      return escape == Escape::DoubleQuoted ? "&quot;" : "";
    case '\'':
      return escape == Escape::SingleQuoted ? "&#39;" : "";
    default:
      return "";
  }
}

/// Whether Markdown could read the character as markup.
bool is_markdown(char c, Escape escape) {
  return std::string_view("\\`*_[]<").find(c) != std::string_view::npos ||
         (c == '|' && escape == Escape::MarkdownTable);
}

bool has_own_spelling(const Segment& segment, char c) {
  return std::ranges::any_of(segment.spellings,
                             [&](const auto& spelling) { return spelling.first == static_cast<unsigned char>(c); });
}

/// A backslash before the mark that would make a paragraph another block: `1. `, `- `, `# `, ...
size_t block_mark(std::string_view text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits > 0) return digits < text.size() && (text[digits] == '.' || text[digits] == ')') ? digits : text.npos;
  return !text.empty() && std::string_view("-+#>=~|:!").find(text[0]) != std::string_view::npos ? 0 : text.npos;
}

void append_one(std::string& out, std::string_view character, const Segment& segment) {
  const char c = character[0];
  if (c == ' ' && segment.breakable) {
    out += kBreak;
    return;
  }
  if (!segment.spellings.empty()) {
    const char32_t code = to_code_points(character)[0];
    const auto own = std::ranges::find(segment.spellings, code, &std::pair<char32_t, std::string>::first);
    if (own != segment.spellings.end()) {
      out += own->second;
      return;
    }
  }
  std::string_view escaped;
  switch (segment.escape) {
    case Escape::None:
      break;
    case Escape::Markup:
    case Escape::DoubleQuoted:
    case Escape::SingleQuoted:
    case Escape::Subtitle:
      escaped = markup_escape(c, segment.escape);
      break;
    case Escape::PoString:
      return append_po_escaped(out, character);
    case Escape::Markdown:
    case Escape::MarkdownTable:
      if (is_markdown(c, segment.escape)) out += '\\';
      break;
  }
  out += escaped.empty() ? character : escaped;
}

}  // namespace

void append_escaped(std::string& out, std::string_view text, const Segment& segment, bool at_begin) {
  if (segment.escape == Escape::Markdown && at_begin) {
    const size_t mark = block_mark(text);
    if (mark != text.npos && block_mark(segment.text) == segment.text.npos && !has_own_spelling(segment, text[mark])) {
      out += text.substr(0, mark);
      out += '\\';
      out += text[mark];
      text.remove_prefix(mark + 1);
    }
  }
  for (const std::string_view character : characters(text)) append_one(out, character, segment);
}

}  // namespace heed::documents
