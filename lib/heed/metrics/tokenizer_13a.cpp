#include "heed/metrics/tokenizer_13a.h"

#include <utility>

namespace heed::metrics {
namespace {

// Everything here works on bytes: all that is looked for is ASCII, and a byte of a longer character is "no digit" and
// "no punctuation" as the character itself is.

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_point(char c) { return c == '.' || c == ','; }
/// ASCII punctuation but for ' , - . and the digits and letters between them.
constexpr bool is_split_off(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

void replace_all(std::string& text, std::string_view found, std::string_view replacement) {
  size_t at = text.find(found);
  if (at == std::string::npos) return;
  std::string replaced;
  size_t begin = 0;
  for (; at != std::string::npos; at = text.find(found, begin)) {
    replaced.append(text, begin, at - begin).append(replacement);
    begin = at + found.size();
  }
  text = replaced.append(text, begin);
}

void undo_markup(std::string& text) {
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  if (text.find('&') == std::string::npos) return;
  // One after the other: &amp;lt; becomes <, as in the original.
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
}

/// `text` between two spaces, with a space at both sides of each split-off character.
std::string split_punctuation(std::string_view text) {
  std::string split;
  split.reserve(text.size() * 2 + 16);
  split += ' ';
  for (const char c : text) {
    if (c == ' ') {
      split.append(3, ' ');
    } else if (is_split_off(c)) {
      split += ' ';
      split += c;
      split += ' ';
    } else {
      split += c;
    }
  }
  split += ' ';
  return split;
}

/// Rewrites every pair of neighbors for which `matches`, from left to right; a pair's characters are in no other pair.
template <class Matches, class Write>
void rewrite_pairs(const std::string& text, std::string& rewritten, Matches matches, Write write) {
  rewritten.clear();
  size_t i = 0;
  while (i + 1 < text.size()) {
    if (matches(text[i], text[i + 1])) {
      write(rewritten, text[i], text[i + 1]);
      i += 2;
    } else {
      rewritten += text[i++];
    }
  }
  if (i < text.size()) rewritten += text[i];
}

void split_after_both(std::string& out, char first, char second) { out.append({first, ' ', second, ' '}); }
void split_before_both(std::string& out, char first, char second) { out.append({' ', first, ' ', second}); }

}  // namespace

std::string Tokenizer13a::operator()(std::string_view line) const {
  std::string text(line);
  undo_markup(text);
  text = split_punctuation(text);
  std::string other;
  other.reserve(text.size() * 2);
  rewrite_pairs(text, other, [](char a, char b) { return is_point(b) && !is_digit(a); }, split_after_both);
  rewrite_pairs(other, text, [](char a, char b) { return is_point(a) && !is_digit(b); }, split_before_both);
  rewrite_pairs(text, other, [](char a, char b) { return b == '-' && is_digit(a); }, split_after_both);
  return other;
}

}  // namespace heed::metrics
