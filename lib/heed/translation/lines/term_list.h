// Terms of the source language and their permitted translations.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heed::translation {

/// A term found in a line.
struct TermMatch {
  size_t first_word = 0, end_word = 0;    ///< the white-space-separated words that contain it, [first, end)
  std::string words = {};                 ///< these words, separated by single spaces
  size_t begin = 0, end = 0;              ///< the byte range of the term in `words`
  std::vector<std::string> targets = {};  ///< its translations; any of them is permitted
};

class TermList {
 public:
  /// fold_case: match terms regardless of case.
  explicit TermList(bool fold_case = false) : fold_case_(fold_case) {}

  /// target: a permitted translation of `source`. Further calls with the same source add more. A run of white space
  /// counts as one space; none is kept around a term. source: not blank.
  void add(std::string_view source, std::string_view target);
  bool empty() const { return terms_.empty(); }

  /// The terms that a line has, in their order. A term is between word boundaries (text::is_word_boundary) and has the
  /// same letters as in the list. If terms overlap, the first one counts; if they begin at the same place, the longest.
  /// A lowercase term may also begin a sentence with a capital, after quotes or brackets. If the line has a capital
  /// where the list has none, the translation may have a capital too.
  std::vector<TermMatch> matches_in(std::string_view line) const;

 private:
  struct Term {
    std::u32string source;
    std::vector<std::string> targets;
  };
  const Term* find(std::u32string_view letters, bool begins_sentence) const;

  bool fold_case_;
  std::unordered_map<std::string, Term> terms_;  // by source, in lowercase if case is ignored
  size_t longest_ = 0;                           // length of the longest source, in characters
};

}  // namespace heed::translation
