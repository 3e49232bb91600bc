// Forbidden phrases of the words of a test vocabulary (tiny_tokenizer.h), by their ids.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heed/search/forbidden_phrases.h"
#include "support/tiny_tokenizer.h"

namespace heed::search {

inline std::shared_ptr<const ForbiddenPhrases> forbid(const std::vector<text::Ids>& phrases, int64_t vocab_size) {
  const auto words = text::numbered_words(vocab_size - 4);
  std::vector<std::string> texts;
  for (const text::Ids& phrase : phrases) texts.push_back(words->decode(phrase));
  return std::make_shared<const ForbiddenPhrases>(std::make_shared<const text::TokenTexts>(*words), texts);
}

}  // namespace heed::search
