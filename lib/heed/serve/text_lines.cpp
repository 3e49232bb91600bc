#include "heed/serve/text_lines.h"

#include <algorithm>

#include "heed/core/text/unicode.h"
#include "heed/translation/lines/sentences.h"

namespace heed::serve {

void TextLines::add(const std::string& text, Unit unit) {
  Text& added = texts_.emplace_back(Text{.first = lines_.size()});
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
    if (unit == Unit::Line) {
      add_line(added, line);
    } else {
      for (const std::string_view sentence : translation::sentences(line)) add_line(added, sentence);
    }
    rest.remove_prefix(line.size());
  }
}

/// Adds a line with its end, or a sentence with the white space after it.
void TextLines::add_line(Text& text, std::string_view line) {
  const std::string_view words = strip_right(line);
  if (words.empty()) {
    text.pieces.push_back({false, std::string(line)});
    return;
  }
  lines_.emplace_back(words);
  ++text.count;
  text.pieces.push_back({true, std::string(line.substr(words.size()))});
}

}  // namespace heed::serve
