#include "heed/core/text/shell_word.h"

#include <algorithm>

#include "heed/core/text/printable.h"

namespace heed {
namespace {

/// Whether the byte has no special meaning in any shell. Bytes from 0x80 on belong to non-ASCII characters.
bool is_plain(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("%+,-./:=@_").find(c) != std::string_view::npos;
}

std::string with_backslashes(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string shell_path(std::string_view path) {
  std::string word(path);
  if (word.starts_with('-')) word.insert(0, "./");
  if (printable(word) != word) return "$'" + printable(with_backslashes(word)) + "'";
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + '\'';
}

}  // namespace heed
