// The words of a text as sequences of symbols, while merges are learned.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "heed/text/bpe/pair_statistics.h"
#include "heed/text/bpe/words/string_table.h"
#include "heed/text/bpe/words/word_counts.h"

namespace heed::text {

/// Words as sequences of symbols, with the words of each pair. subword-nmt counts how often each pair occurs in each
/// word, and merges a pair in a word only if its count is above 0. For nearly all words this is the same as "the pair
/// occurs". In some words, here called odd, subword-nmt's counts are wrong. Their counts are kept, to get the same
/// merges. Odd words are:
/// - words with white space, because its search for a pair takes white space as the end of a symbol;
/// - words with a run of three equal symbols that are merged;
/// - words that already have the merged symbol, made of another pair.
class MergedWords {
 public:
  /// `bytes`: the initial symbols are bytes, else characters. The last symbol has the end-of-word mark.
  MergedWords(const WordCounts& words, bool bytes);

  const StringTable& symbols() const { return symbols_; }
  const PairTable& pairs() const { return pairs_; }
  /// Adds the frequency of every pair to `statistics`.
  void count(PairStatistics& statistics) const;
  /// Merges the pair in all words and updates `statistics`.
  void merge(uint32_t pair, PairStatistics& statistics);

  struct Characters {
    int64_t internal = 0;  ///< distinct symbols that are not the last of a word
    int64_t final = 0;     ///< distinct symbols that end a word
  };
  /// Call it before the first merge.
  Characters characters() const;

 private:
  struct Word {
    uint64_t begin;   // offset in text_
    uint32_t length;  // symbols
    bool odd;
    int64_t count;  // occurrences of the word in the text
  };
  using Symbols = std::vector<uint32_t>;
  using OddCounts = std::unordered_map<uint32_t, int64_t>;  // count by word
  struct Join {
    uint32_t pair, left, right, joined;
  };

  void add_word(std::string_view word, int64_t count, bool bytes);
  void make_odd(uint32_t word, uint32_t except);
  void merge_in(uint32_t word, const Join& join, const OddCounts& odd_counts, PairStatistics& statistics);
  void join(const Symbols& before, const Join& join, bool odd);
  void join_as_text(const Symbols& before, const Join& join);
  void change(uint32_t left, uint32_t right, int sign, uint32_t word, PairStatistics& statistics);
  void forget_before(uint32_t word, const Join& join, PairStatistics& statistics);
  void count_after(uint32_t word, const Join& join, PairStatistics& statistics);

  bool bytes_;
  StringTable symbols_;
  PairTable pairs_;
  std::vector<Word> words_;
  Symbols text_;                                        // symbols of all words
  std::vector<std::vector<uint32_t>> places_;           // by pair: words in which it has occurred
  std::unordered_map<uint32_t, OddCounts> odd_counts_;  // by pair
  std::vector<uint32_t> last_merge_;                    // by word
  uint32_t merge_number_ = 0;
  Symbols before_, after_;  // the current word before and after a merge
};

}  // namespace heed::text
