// A tokenizer of made-up words w0, w1, ... for tests: word i has the id 4 + i.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heed/core/random.h"
#include "heed/text/word_tokenizer.h"

namespace heed::text {

inline std::shared_ptr<const Tokenizer> numbered_words(int64_t count, std::vector<std::string> more = {}) {
  std::vector<std::string> entries;
  for (int64_t i = 0; i < count; ++i) entries.push_back(std::string("w").append(std::to_string(i)));
  entries.insert(entries.end(), more.begin(), more.end());
  return std::make_shared<WordTokenizer>(WordTokenizer::kWordsEnding, std::move(entries));
}

/// Lines of 1 to `longest` such words.
inline std::vector<std::string> random_lines(int64_t count, int64_t words, uint64_t longest, uint64_t seed = 1) {
  RandomStream random(seed, Purpose::Test);
  std::vector<std::string> lines(static_cast<size_t>(count));
  for (std::string& line : lines) {
    const uint64_t length = 1 + random.below(longest);
    for (uint64_t i = 0; i < length; ++i) {
      line.append(i == 0 ? "w" : " w").append(std::to_string(random.below(static_cast<uint64_t>(words))));
    }
  }
  return lines;
}

}  // namespace heed::text
