// A fast path for plain lines, which are nearly all lines of a text.
#pragma once

#include <string_view>
#include <vector>

#include "heed/text/bpe/words/short_word.h"

namespace heed::text {

/// A word of a plain line. A space or LF follows it.
struct PlainWord {
  std::string_view text;
  ShortWord key;  ///< empty if the word is too long for a ShortWord

  char after() const { return *text.end(); }
};

/// A plain line ends in LF and has single spaces between words, none at its ends, and no other byte below 0x21. Its
/// words are those of for_each_word, except that non-ASCII line ends may be inside words. Sets `words` to the words of
/// the first plain lines of `text`, about a hundred words, and returns the size of these lines.
size_t scan_plain_lines(std::string_view text, std::vector<PlainWord>& words);

}  // namespace heed::text
