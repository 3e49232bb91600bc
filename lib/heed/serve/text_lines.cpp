#include "heed/serve/text_lines.h"

#include <algorithm>
#include <string_view>

#include "heed/core/text/unicode.h"

namespace heed::serve {

void TextLines::add(const std::string& text) {
  Text& added = texts_.emplace_back(Text{.first = lines_.size()});
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = strip_right(rest.substr(0, end));
    const std::string_view whole = rest.substr(0, std::min(end + 1, rest.size()));
    if (line.empty()) {
      added.pieces.push_back({false, std::string(whole)});
    } else {
      lines_.emplace_back(line);
      ++added.count;
      added.pieces.push_back({true, std::string(whole.substr(line.size()))});
    }
    rest.remove_prefix(whole.size());
  }
}

}  // namespace heed::serve
