// A fast path for plain lines, of which nearly all texts consist.
#pragma once

#include <string_view>
#include <vector>

#include "heed/text/bpe/words/short_word.h"

namespace heed::text {

/// A word of a plain line, which has a space or LF behind it.
struct PlainWord {
  std::string_view text;
  ShortWord key;  ///< empty for a word that is not short

  char after() const { return *text.end(); }
};

/// A plain line has words with one space between them, none at its ends, no other byte below 21 (hexadecimal), and ends
/// in LF: its words are those of for_each_word, but that characters beyond ASCII may end lines within them. Sets
/// `words` to those of the first lines of `text`, some hundred of them, as far as these are plain, and returns the size
/// of these lines.
size_t scan_plain_lines(std::string_view text, std::vector<PlainWord>& words);

}  // namespace heed::text
