#include "heed/command_line/toml_keys.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace heed::config {
namespace {

constexpr std::string_view kThreeQuotes[] = {R"(""")", "'''"};

/// The end of the string that starts at `begin`. A string without three quotes that is not closed ends with its line.
size_t end_of_string(std::string_view toml, size_t begin) {
  for (const std::string_view quotes : kThreeQuotes) {
    if (!toml.substr(begin).starts_with(quotes)) continue;
    const size_t end = toml.find(quotes, begin + quotes.size());
    return end == std::string_view::npos ? toml.size() : end + quotes.size();
  }
  const char quote = toml[begin];
  for (size_t i = begin + 1; i < toml.size() && toml[i] != '\n'; ++i) {
    if (toml[i] == quote) return i + 1;
    if (toml[i] == '\\' && quote == '"') ++i;
  }
  return std::min(toml.find('\n', begin), toml.size());
}

bool continues_key(char c) {
  return c == ' ' || c == '\t' || c == '-' || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

}  // namespace

std::optional<int64_t> line_of_deep_key(std::string_view toml, int64_t most) {
  int64_t line = 1, parts = 1;
  for (size_t i = 0; i < toml.size();) {
    const char c = toml[i];
    size_t next = i + 1;
    if (c == '"' || c == '\'') next = end_of_string(toml, i);
    if (c == '#') next = std::min(toml.find('\n', i), toml.size());
    if (c == '.') {
      if (++parts > most) return line;
    } else if (c != '"' && c != '\'' && !continues_key(c)) {
      parts = 1;
    }
    line += std::ranges::count(toml.substr(i, next - i), '\n');
    i = next;
  }
  return std::nullopt;
}

}  // namespace heed::config
