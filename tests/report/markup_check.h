// A strict reader of the little markup that the writers use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::report {

/// Empty if `text` is well-formed XML (elements closed in order, nothing unescaped), else what is wrong.
inline std::string markup_error(std::string_view text) {
  std::vector<std::string> open;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '&') {
      const size_t end = text.find(';', i);
      if (end == std::string_view::npos || end > i + 6) return "a bare & at " + std::string(text.substr(i, 20));
    }
    if (text[i] == '>') return "a bare > at " + std::string(text.substr(i, 20));
    if (text[i] != '<') {
      ++i;
      continue;
    }
    const size_t end = text.find('>', i);
    const std::string_view tag = text.substr(i + 1, end - i - 1);
    const bool open_tag = end == std::string_view::npos || tag.find('<') != std::string_view::npos;
    if (open_tag) return "an open tag: " + std::string(tag);
    i = end + 1;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "closed out of order: " + std::string(tag);
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.emplace_back(tag.substr(0, tag.find_first_of(" \n")));
    }
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

/// How often `part` stands in `text`.
inline size_t count_of(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace heed::report
