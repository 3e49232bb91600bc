#include "heed/search/repetition.h"

#include <algorithm>

namespace heed::search {

text::Ids distinct(std::span<const int32_t> hypothesis) {
  text::Ids tokens(hypothesis.begin(), hypothesis.end());
  std::ranges::sort(tokens);
  const auto again = std::ranges::unique(tokens);
  tokens.erase(again.begin(), again.end());
  return tokens;
}

text::Ids repeating(std::span<const int32_t> hypothesis, int64_t n) {
  const auto before = static_cast<size_t>(n - 1);
  if (hypothesis.size() < before) return {};
  const auto last = hypothesis.last(before);
  text::Ids tokens;
  for (size_t i = before; i < hypothesis.size(); ++i) {
    if (std::ranges::equal(hypothesis.subspan(i - before, before), last)) tokens.push_back(hypothesis[i]);
  }
  return distinct(tokens);
}

}  // namespace heed::search
