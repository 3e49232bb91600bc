#include "heed/translation/lines/lost_text.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <vector>

#include "heed/text/protected_text.h"

namespace heed::translation {
namespace {

std::vector<std::string> placeholders_of(std::string_view text) {
  // Never destroyed: a thread may translate while the process ends.
  static const auto& rules =
      *new text::ProtectedText({text::ProtectedKind::Url, text::ProtectedKind::Mail, text::ProtectedKind::Placeholder});
  std::vector<std::string> found;
  for (const auto& match : rules.find(text)) found.emplace_back(text.substr(match.begin, match.end - match.begin));
  std::ranges::sort(found);
  return found;
}

bool is_digit_at(std::string_view text, size_t i) {
  return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
}

/// The digits of numbers, without what groups them.
std::vector<std::string> numbers_of(std::string_view text) {
  std::vector<std::string> found;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!is_digit_at(text, i)) continue;
    std::string& digits = found.emplace_back();
    while (is_digit_at(text, i)) {
      digits += text[i++];
      const bool is_grouping =
          i < text.size() && (text[i] == '.' || text[i] == ',' || text[i] == ' ' || text[i] == '\'');
      const bool is_space = is_grouping && text[i] == ' ';
      const bool has_three = is_digit_at(text, i + 1) && is_digit_at(text, i + 2) && is_digit_at(text, i + 3);
      if (is_grouping && is_digit_at(text, i + 1) && (!is_space || (has_three && digits.size() <= 3))) ++i;
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

bool loses_placeholder(std::string_view source, std::string_view translation) {
  const auto wanted = placeholders_of(source);
  return !wanted.empty() && !std::ranges::includes(placeholders_of(translation), wanted);
}

bool loses_number(std::string_view source, std::string_view translation) {
  const auto wanted = numbers_of(source);
  return !wanted.empty() && !std::ranges::includes(numbers_of(translation), wanted);
}

}  // namespace heed::translation
