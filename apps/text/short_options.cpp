#include "text/short_options.h"

#include <algorithm>

namespace heed::apps {
namespace {

std::string with_long_name(const std::string& argument, std::span<const ShortOption> options) {
  if (argument.size() < 2 || argument[0] != '-' || argument[1] == '-') return argument;
  const auto found = std::ranges::find(options, argument[1], &ShortOption::letter);
  if (found == options.end()) return argument;
  std::string named = std::string("--").append(found->name);
  if (argument.size() > 2) named.append("=").append(argument, 2);
  return named;
}

}  // namespace

std::vector<std::string> with_long_names(CommandArguments arguments, std::span<const ShortOption> options) {
  std::vector<std::string> named(arguments.begin(), arguments.end());
  const auto end = std::ranges::find(named, "--");
  std::for_each(named.begin(), end, [&](std::string& argument) { argument = with_long_name(argument, options); });
  return named;
}

}  // namespace heed::apps
