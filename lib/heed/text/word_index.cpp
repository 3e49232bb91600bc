#include "heed/text/word_index.h"

#include "heed/core/text/unicode.h"

namespace heed::text {

std::vector<int64_t> word_index(const std::vector<std::string>& pieces) { return joined_words(pieces).of_id; }

LineWords joined_words(const std::vector<std::string>& pieces) {
  std::string text;
  std::vector<size_t> owner;  // the piece of each byte; a character's bytes may be in several pieces
  for (size_t i = 0; i < pieces.size(); ++i) {
    text += pieces[i];
    owner.resize(text.size(), i);
  }
  LineWords line{.words = {}, .of_id = std::vector<int64_t>(pieces.size(), -1)};
  size_t waiting = 0;  // all pieces before this one have their word
  for (const std::string_view word : split_whitespace(text)) {
    const auto begin = static_cast<size_t>(word.data() - text.data());
    const size_t last = owner[begin + word.size() - 1];
    for (; waiting <= last; ++waiting) {
      if (!pieces[waiting].empty()) line.of_id[waiting] = std::ssize(line.words);
    }
    line.words.emplace_back(word);
  }
  return line;
}

}  // namespace heed::text
