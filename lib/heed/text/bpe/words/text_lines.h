// Splits a text into lines and words as subword-nmt's programs do.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/core/files/unpacked_file.h"

namespace heed::text {

/// What ends a line.
enum class LineEnds {
  Unicode,    ///< as in Python's str.splitlines: LF, CR, CR LF, VT, FF, 1C to 1E, U+0085, U+2028, U+2029
  Universal,  ///< LF, CR and CR LF, all read as LF, as in Python's text files
  Bytes       ///< LF; the text may be invalid UTF-8
};

/// A line without the CR, LF and spaces at its ends. Words are separated by spaces (U+0020 only).
struct SpacedLine {
  std::string_view leading;   ///< the CR, LF and spaces before the words; the whole line if it has no words
  std::string_view words;     ///< begins and ends with a word; empty if there are no words
  std::string_view trailing;  ///< the CR, LF and spaces after the words
};
SpacedLine split_ends(std::string_view line);

/// Calls visit(word) for each word of SpacedLine::words.
template <class Visit>
void for_each_word(std::string_view words, Visit&& visit) {
  constexpr uint64_t kSpaces = 0x2020202020202020U;
  constexpr uint64_t kLow = 0x7F7F7F7F7F7F7F7FU;
  size_t begin = 0;
  const auto space_at = [&](size_t end) {
    if (end > begin) visit(words.substr(begin, end - begin));
    begin = end + 1;
  };
  size_t next = 0;
  for (; std::endian::native == std::endian::little && next + 8 <= words.size(); next += 8) {
    uint64_t eight = 0;
    std::memcpy(&eight, words.data() + next, sizeof eight);
    eight ^= kSpaces;
    // The highest bit of each byte that is a space.
    uint64_t spaces = ~(((eight & kLow) + kLow) | eight | kLow);
    for (; spaces != 0; spaces &= spaces - 1) space_at(next + static_cast<size_t>(std::countr_zero(spaces)) / 8);
  }
  for (; next < words.size(); ++next) {
    if (words[next] == ' ') space_at(next);
  }
  space_at(words.size());
}

/// The size of the first line of `text`, including its end; that of the whole text if it has no line end.
size_t first_line(std::string_view text, LineEnds ends);

/// Calls visit(line) for each line of a block; the line includes its end.
template <class Visit>
void for_each_line(std::string_view block, LineEnds ends, Visit&& visit) {
  while (!block.empty()) {
    const size_t size = first_line(block, ends);
    visit(block.substr(0, size));
    block.remove_prefix(size);
  }
}

/// Reads a file (.gz too; "-" is standard input) in blocks of whole lines.
class TextBlocks {
 public:
  /// Throws FileError.
  TextBlocks(const std::string& path, LineEnds ends);
  /// Reads about 128 KiB of lines that end in LF. Returns false at the end. With universal line ends, CR and CR LF
  /// become LF. Throws InputError if the text is not UTF-8.
  bool next(std::string& block);
  LineEnds ends() const { return ends_; }

 private:
  void fill(std::string& block);
  bool append(std::string& block, size_t count);
  void check_text(std::string_view block) const;

  std::string name_;
  UnpackedFile file_;
  LineEnds ends_;
  std::string begun_;       // the start of a line that continues in the next block
  int64_t lines_read_ = 0;  // lines before the next block
};

}  // namespace heed::text
