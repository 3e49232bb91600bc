#include "heed/metrics/tokenizers/ascii_rules.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace heed::metrics {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_point(char c) { return c == '.' || c == ','; }

constexpr auto kSplitOff = [] {
  std::array<bool, 256> table{};
  for (int i = 0; i < 128; ++i) {
    const char c = static_cast<char>(i);
    const bool below_letters = (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@');
    table[static_cast<size_t>(i)] = below_letters || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
  }
  return table;
}();

/// Rewrites every pair of adjacent characters for which `matches` is true, from left to right; pairs do not overlap.
/// Only tests pairs whose first (`place` 0) or second (`place` 1) character satisfies `wanted`.
template <class Wanted, class Matches, class Write>
void rewrite_pairs(std::string& text, std::string& scratch, ptrdiff_t place, Wanted wanted, Matches matches,
                   Write write) {
  scratch.resize(2 * text.size());
  char* out = scratch.data();
  const char* rest = text.data();  // the rest of the text, not yet written
  const char* const end = rest + text.size();
  const char* found = rest;
  while ((found = std::find_if(found, end, wanted)) != end) {
    const char* pair = found++ - place;
    if (pair < rest || pair + 1 >= end || !matches(pair[0], pair[1])) continue;
    out = write(std::copy(rest, pair, out), pair[0], pair[1]);
    rest = pair + 2;
  }
  out = std::copy(rest, end, out);
  scratch.resize(static_cast<size_t>(out - scratch.data()));
  text.swap(scratch);
}

char* write_space_after_both(char* out, char first, char second) {
  for (const char c : {first, ' ', second, ' '}) *out++ = c;
  return out;
}
char* write_space_before_both(char* out, char first, char second) {
  for (const char c : {' ', first, ' ', second}) *out++ = c;
  return out;
}

}  // namespace

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

void undo_entities(std::string& text) {
  if (text.find('&') == std::string::npos) return;
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
}

void split_punctuation(std::string& text, std::string& scratch) {
  scratch.resize(3 * text.size());
  char* out = scratch.data();
  for (const char c : text) {
    if (!kSplitOff[static_cast<unsigned char>(c)]) {
      *out++ = c;
      continue;
    }
    for (const char written : {' ', c, ' '}) *out++ = written;
  }
  scratch.resize(static_cast<size_t>(out - scratch.data()));
  text.swap(scratch);
}

void split_points_and_hyphens(std::string& text, std::string& scratch) {
  const auto after_no_digit = [](char a, char) { return !is_digit(a); };
  const auto before_no_digit = [](char, char b) { return !is_digit(b); };
  const auto after_digit = [](char a, char) { return is_digit(a); };
  if (std::ranges::any_of(text, is_point)) {
    rewrite_pairs(text, scratch, 1, is_point, after_no_digit, write_space_after_both);
    rewrite_pairs(text, scratch, 0, is_point, before_no_digit, write_space_before_both);
  }
  if (text.find('-') == std::string::npos) return;
  rewrite_pairs(text, scratch, 1, [](char c) { return c == '-'; }, after_digit, write_space_after_both);
}

}  // namespace heed::metrics
