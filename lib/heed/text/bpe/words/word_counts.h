// How often each word of a text occurs. Merges are learned from the counts, and subword-nmt's vocabulary files list
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heed/text/bpe/words/plain_lines.h"
#include "heed/text/bpe/words/string_table.h"
#include "heed/text/bpe/words/text_lines.h"

namespace heed::text {

/// Distinct words in the order of their first occurrence, with their counts.
class WordCounts {
 public:
  /// Counts a word and returns its number.
  uint32_t add(std::string_view word, int64_t count = 1) {
    const uint32_t number = words_.add(word);
    if (number == counts_.size()) counts_.push_back(0);
    counts_[number] += count;
    return number;
  }
  /// Counts the words of a line; it may include its line end.
  void add_line(std::string_view line);
  /// Counts the words of each line of a block.
  void add_block(std::string_view block, LineEnds ends);
  void add(const WordCounts& other);

  uint32_t size() const { return words_.size(); }
  std::string_view word(uint32_t number) const { return words_[number]; }
  int64_t count(uint32_t number) const { return counts_[number]; }

 private:
  void add_plain(const PlainWord& word, LineEnds ends);

  StringTable words_;
  ShortWordMap<uint32_t> numbers_;      // of words in plain lines
  std::vector<PlainWord> plain_words_;  // of the current lines
  std::vector<int64_t> counts_;
};

/// Counts the words of a file on `threads` threads. With several threads the order of the words is unspecified. Throws
/// FileError, InputError.
WordCounts count_words(const std::string& path, LineEnds ends, int64_t threads);
/// Calls use(word, count) for each line `word count` of a file. Throws FileError, InputError.
void for_each_entry(const std::string& path, LineEnds ends, const std::function<void(std::string_view, int64_t)>& use);
/// Reads a dictionary with lines `word count`. Counts of the same word are added. Throws FileError, InputError; also if
/// the total count of all characters does not fit into 64 bits.
WordCounts read_dictionary(const std::string& path, LineEnds ends);
/// Formats lines `word count`, most frequent first. Ties are in the order of first occurrence.
std::string format_dictionary(const WordCounts& counts);

}  // namespace heed::text
