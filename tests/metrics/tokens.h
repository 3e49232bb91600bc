// The tokens that a tokenizer makes of a line, as metrics see them.
#pragma once

#include <string>
#include <vector>

#include "heed/core/text/unicode.h"
#include "heed/metrics/tokenizers/tokenizers.h"

namespace heed::metrics {

using Texts = std::vector<std::string>;

inline Texts tokens(const TextTokenizer& tokenizer, const std::string& line) {
  std::string tokenized;
  std::string scratch;
  tokenizer.tokenize(line, tokenized, scratch);
  Texts words;
  for (const auto word : split_whitespace(tokenized)) words.emplace_back(word);
  return words;
}

}  // namespace heed::metrics
