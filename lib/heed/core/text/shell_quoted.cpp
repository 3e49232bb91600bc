#include "heed/core/text/shell_quoted.h"

#include <algorithm>

namespace heed {
namespace {

/// Bytes above 127 are parts of characters that no shell reads otherwise.
bool is_plain(char c) {
  const bool letter_or_digit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter_or_digit || static_cast<unsigned char>(c) > 127 ||
         std::string_view("@%_+=:,./-").find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_quoted(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'')
      quoted += R"('\'')";
    else
      quoted += c;
  }
  return quoted + "'";
}

}  // namespace heed
