// The words of a text as sequences of symbols while merges are learned from them.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "heed/text/bpe/pair_statistics.h"
#include "heed/text/bpe/words/string_table.h"
#include "heed/text/bpe/words/word_counts.h"

namespace heed::text {

/// Words as sequences of symbols, with the places of each pair. subword-nmt counts for each pair and word how often it
/// occurs there, and merges in a word only while that count is above zero. For nearly all words that is whether the
/// pair occurs; in "odd" ones the counts go astray, so that they are kept for those words only:
/// - words with white space, which its search for the pair takes for the end of a symbol;
/// - words with a run of three equal symbols that are merged;
/// - words that hold the merged symbol already, made of another pair.
class MergedWords {
 public:
  /// `bytes`: words begin as bytes, else as characters; the last one carries the end-of-word mark.
  MergedWords(const WordCounts& words, bool bytes);

  const StringTable& symbols() const { return symbols_; }
  const PairTable& pairs() const { return pairs_; }
  /// Adds every pair's frequency to `statistics`.
  void count(PairStatistics& statistics) const;
  /// Joins the pair in all words and updates `statistics`.
  void merge(uint32_t pair, PairStatistics& statistics);

  struct Characters {
    int64_t internal = 0;  ///< different symbols that are not the last of a word
    int64_t final = 0;     ///< different symbols that end a word
  };
  /// Before the first merge.
  Characters characters() const;

 private:
  struct Word {
    uint64_t begin;   // in text_
    uint32_t length;  // symbols
    bool odd;
    int64_t count;  // of the word in the text
  };
  using Symbols = std::vector<uint32_t>;
  using OddCounts = std::unordered_map<uint32_t, int64_t>;  // by word
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
  Symbols text_;                                        // all words
  std::vector<std::vector<uint32_t>> places_;           // words in which a pair occurred, by pair
  std::unordered_map<uint32_t, OddCounts> odd_counts_;  // by pair
  std::vector<uint32_t> last_merge_;                    // of each word
  uint32_t merge_number_ = 0;
  Symbols before_, after_;  // the word at work
};

}  // namespace heed::text
