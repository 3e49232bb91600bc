#include "heed/text/targets/word_ids.h"

#include "heed/core/text/unicode.h"

namespace heed::text {

WordIds word_ids(const Tokenizer& tokenizer, std::string_view line, RandomStream* random) {
  WordIds found;
  for (const std::string_view word : split_whitespace(line)) {
    found.begins.push_back(static_cast<int64_t>(found.ids.size()));
    const Ids ids = random ? tokenizer.sample(word, *random) : tokenizer.encode(word);
    found.ids.insert(found.ids.end(), ids.begin(), ids.end());
    if (ids.empty()) found.ids.push_back(kUnk);
  }
  return found;
}

}  // namespace heed::text
