#include "heed/translation/lines/term_list.h"

#include <algorithm>
#include <utility>

#include "heed/core/text/unicode.h"
#include "heed/text/word_boundary.h"

namespace heed::translation {
namespace {

/// The words with one space between them.
std::string spaced(std::string_view text) {
  std::string result;
  for (const std::string_view word : split_whitespace(text)) {
    if (!result.empty()) result += ' ';
    result += word;
  }
  return result;
}

}  // namespace

bool TermList::add(std::string_view source, std::string_view target) {
  std::string term = spaced(source);
  longest_ = std::max(longest_, to_code_points(term).size());
  return targets_.try_emplace(std::move(term), target).second;
}

std::vector<std::string> TermList::targets_in(std::string_view line) const {
  if (targets_.empty()) return {};
  const std::string words = spaced(line);
  const std::u32string letters = to_code_points(words);
  std::vector<std::string> targets;
  std::vector<text::WordClass> classes;
  for (const char32_t letter : letters) classes.push_back(text::word_class(letter));
  const auto edge = [&](size_t place) {
    return place == 0 || place == letters.size() || text::is_word_boundary(classes[place - 1], classes[place]);
  };
  for (size_t begin = 0; begin < letters.size();) {
    size_t next = begin + 1;
    for (size_t end = std::min(letters.size(), begin + longest_); edge(begin) && end > begin; --end) {
      if (!edge(end)) continue;
      const auto found = targets_.find(to_utf8(std::u32string_view(letters).substr(begin, end - begin)));
      if (found == targets_.end()) continue;
      targets.push_back(found->second);
      next = end;
      break;
    }
    begin = next;
  }
  return targets;
}

}  // namespace heed::translation
