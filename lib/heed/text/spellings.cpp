#include "heed/text/spellings.h"

#include <algorithm>

namespace heed::text {

Spellings Spellings::one_way(const Ids& ids) {
  Spellings spellings;
  for (size_t i = 0; i < ids.size(); ++i) spellings.steps.push_back({{.token = ids[i], .to = i + 1}});
  return spellings;
}

Speller::Speller(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {
  for (auto id = static_cast<int32_t>(tokenizer.size()); id-- > kEos + 1;) tokens_[tokenizer.spelling(id)] = id;
}

Spellings Speller::of(std::string_view phrase) const {
  const Ids ids = tokenizer_.encode(phrase);
  if (std::ranges::count(ids, kUnk) > 0) return {};
  std::string spelled;
  for (const int32_t id : ids) spelled += tokenizer_.spelling(id);
  Spellings spellings;
  spellings.steps.resize(spelled.size());
  for (size_t from = 0; from < spelled.size(); ++from) {
    for (size_t to = from + 1; to <= spelled.size(); ++to) {
      const auto found = tokens_.find(spelled.substr(from, to - from));
      if (found != tokens_.end()) spellings.steps[from].push_back({.token = found->second, .to = to});
    }
  }
  return spellings;
}

}  // namespace heed::text
