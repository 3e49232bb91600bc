#include "heed/text/word_index.h"

#include "heed/core/unicode.h"

namespace heed::text {

std::vector<int64_t> word_index(const std::vector<std::string>& pieces) {
  std::string text;
  std::vector<size_t> owner;  // the piece of each byte: a character's bytes may come from several pieces
  for (size_t i = 0; i < pieces.size(); ++i) {
    text += pieces[i];
    owner.resize(text.size(), i);
  }
  std::vector<int64_t> words(pieces.size(), -1);
  int64_t next_word = 0;
  size_t waiting = 0;  // pieces before this one have their word
  for (const std::string_view word : split_whitespace(text)) {
    const auto begin = static_cast<size_t>(word.data() - text.data());
    const size_t last = owner[begin + word.size() - 1];
    for (; waiting <= last; ++waiting) {
      if (!pieces[waiting].empty()) words[waiting] = next_word;
    }
    ++next_word;
  }
  return words;
}

}  // namespace heed::text
