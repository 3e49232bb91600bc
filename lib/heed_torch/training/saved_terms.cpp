#include "heed_torch/training/saved_terms.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "heed/command_line/former_names.h"

namespace heed::training {
namespace {

using Terms = std::map<std::string, std::string, std::less<>>;

/// Options have a section.
bool is_option(std::string_view name) { return name.find('.') != name.npos; }

void add(Terms& terms, std::string_view term) {
  const std::string_view first_word = term.substr(0, term.find(' '));
  const size_t end = is_option(first_word) ? first_word.size() : std::min(term.rfind(' '), term.size());
  terms.emplace(config::present_name(term.substr(0, end)), term.substr(end));
}

Terms parsed(std::string_view text) {
  constexpr std::string_view kBetween = ", ";
  Terms terms;
  while (!text.empty()) {
    const size_t end = std::min(text.find(kBetween), text.size());
    add(terms, text.substr(0, end));
    text.remove_prefix(std::min(end + kBetween.size(), text.size()));
  }
  return terms;
}

std::optional<std::string_view> value_of(const Terms& terms, std::string_view name) {
  const auto found = terms.find(name);
  return found == terms.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

}  // namespace

bool terms_hold(std::string_view saved, std::string_view before, std::string_view now) {
  if (saved.empty() || now.empty()) return saved == now;
  const Terms of_saved = parsed(saved), of_before = parsed(before), of_now = parsed(now);
  std::set<std::string_view> names;
  for (const Terms* terms : {&of_saved, &of_before, &of_now}) {
    for (const auto& term : *terms) names.insert(term.first);
  }
  return std::ranges::all_of(names, [&](std::string_view name) {
    const auto was = value_of(of_saved, name), between = value_of(of_before, name), is = value_of(of_now, name);
    if (!is_option(name)) return was == is;
    if (!was) return between == is;
    return is ? was == is : !between.has_value();
  });
}

}  // namespace heed::training
