// Judges a pair: which filters find it, and what was measured for that.
#pragma once

#include <array>
#include <cstdint>

#include "heed/core/options.h"
#include "heed/curation/checks/filter.h"
#include "heed/curation/checks/side_text.h"
#include "heed/curation/files/pair.h"
#include "heed/curation/learned/corpus_model.h"

namespace heed::curation {

/// From where on a filter finds a pair.
struct FilterLimits {
  int64_t max_words = 250;
  int64_t max_word_characters = 100;
  double max_length_deviation = 6;
  double max_language_deviation = 4;
  double min_alignment = 0.1;
  double similarity = 0.8;
  int64_t boilerplate_repeats = 10;
  bool operator==(const FilterLimits&) const = default;
};
void describe(FilterLimits& o, AnyOptionVisitor auto& visit) {
  visit("max-words", o.max_words, "most words of a side: `length` finds pairs with more", at_least(1));
  visit("max-word-characters", o.max_word_characters,
        "most characters of a word: `length` finds pairs with a longer one", at_least(1));
  visit("max-length-deviation", o.max_length_deviation,
        "largest deviation: `ratio` finds pairs whose ratio of lengths is further from the usual one, in standard "
        "deviations of pairs of about their length; pairs of at most 50 characters stay",
        above(0));
  visit("max-language-deviation", o.max_language_deviation,
        "largest deviation: `language` finds texts whose character trigrams are less usual for their side, in standard "
        "deviations of lines of about their length; names and code, which are unusual on both sides, stay",
        above(0));
  visit("min-alignment", o.min_alignment,
        "least probability: `misaligned` finds pairs with a lower probability of being translations of each other, if "
        "both sides together have eight words or more",
        between(0, 1));
  visit("similarity", o.similarity,
        "pairs are near-duplicates from this Jaccard similarity of their character 5-grams on", between(0.3, 1));
  visit(
      "boilerplate-repeats", o.boilerplate_repeats,
      "number of repeats: `boilerplate` finds a side of at least four words that comes with this many different other "
      "sides, or more",
      at_least(2));
}

struct Judgement {
  FilterSet found;
  int64_t source_words = 0, target_words = 0;
  int64_t source_characters = 0, target_characters = 0;
  double length_deviation = 0;
  LanguageScore source_language, target_language;  ///< under the profiles of their own sides
  double alignment = 0.5;                          ///< AlignmentModel::probability
  int64_t source_sentences = 0, target_sentences = 0;
};

class PairJudge {
 public:
  PairJudge(const CorpusModel& model, const FilterLimits& limits) : model_(model), limits_(limits) {}

  /// Memory for the texts of a pair, to be reused; one for each thread.
  struct Buffers {
    SideText source, target;
    WordPair words;
  };
  /// All filters except those that compare lines with other lines (boilerplate, duplicates, leaks).
  Judgement judge(const Pair& pair, Buffers& buffers) const;

 private:
  void check_texts(const Pair& pair, const Buffers& buffers, Judgement& judgement) const;
  void check_lengths(const Buffers& buffers, Judgement& judgement) const;
  void check_languages(const Buffers& buffers, Judgement& judgement) const;
  void check_alignment(Buffers& buffers, Judgement& judgement) const;

  const CorpusModel& model_;
  FilterLimits limits_;
};

}  // namespace heed::curation
