// How often each word of a text occurs: what merges are learned from, and subword-nmt's vocabulary files.
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
  /// Counts a word; its number.
  uint32_t add(std::string_view word, int64_t count = 1) {
    const uint32_t number = words_.add(word);
    if (number == counts_.size()) counts_.push_back(0);
    counts_[number] += count;
    return number;
  }
  /// Counts the words of a line, which may have its end.
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
  ShortWordMap<uint32_t> numbers_;      // of words that plain lines had
  std::vector<PlainWord> plain_words_;  // of the lines at work
  std::vector<int64_t> counts_;
};

/// Counts the words of a file with that many threads; with several, words are in no order. Throws FileError,
/// InputError.
WordCounts count_words(const std::string& path, LineEnds ends, int64_t threads);
/// Calls use(word, count) for each line `word count` of a file. Throws FileError, InputError.
void for_each_entry(const std::string& path, LineEnds ends, const std::function<void(std::string_view, int64_t)>& use);
/// Reads a dictionary: lines `word count`, where counts of the same word add up. Throws FileError, InputError (also
/// where the sum over all characters would not fit into 64 bits).
WordCounts read_dictionary(const std::string& path, LineEnds ends);
/// Lines `word count`: the most frequent first, equally frequent ones in the order of their first occurrence.
std::string format_dictionary(const WordCounts& counts);

}  // namespace heed::text
