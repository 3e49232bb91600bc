// Lines and words of a text as subword-nmt's programs see them.
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

/// Where a line ends.
enum class LineEnds {
  Unicode,    ///< where Python's str.splitlines does: LF, CR, CR LF, VT, FF, 1C to 1E, U+0085, U+2028, U+2029
  Universal,  ///< LF, CR and CR LF, all of which are read as LF (Python's text files)
  Bytes       ///< LF; the text need not be UTF-8
};

/// The words of a line: what is left between spaces (U+0020 only) once CR, LF and spaces are stripped from both ends.
struct SpacedLine {
  std::string_view leading;   ///< the CR, LF and spaces before the words; the whole line when it has none
  std::string_view words;     ///< begins and ends with a word; empty for a line without words
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
    // The highest bit of each byte that was a space.
    uint64_t spaces = ~(((eight & kLow) + kLow) | eight | kLow);
    for (; spaces != 0; spaces &= spaces - 1) space_at(next + static_cast<size_t>(std::countr_zero(spaces)) / 8);
  }
  for (; next < words.size(); ++next) {
    if (words[next] == ' ') space_at(next);
  }
  space_at(words.size());
}

/// The bytes up to and with the end of the first line of `text`; all of them if it has no line end.
size_t first_line(std::string_view text, LineEnds ends);

/// Calls visit(line with its end) for each line of a block of text.
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
  /// Reads about 128 KiB of lines that end in LF; false at the end. With universal line ends CR and CR LF have become
  /// LF. Throws InputError on text that is not UTF-8.
  bool next(std::string& block);
  LineEnds ends() const { return ends_; }

 private:
  void fill(std::string& block);
  bool append(std::string& block, size_t count);
  void check_text(std::string_view block) const;

  std::string name_;
  UnpackedFile file_;
  LineEnds ends_;
  std::string begun_;       // the begin of a line, which the next block goes on with
  int64_t lines_read_ = 0;  // before the next block
};

}  // namespace heed::text
