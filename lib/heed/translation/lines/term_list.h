// Terms of the source language and how they are to be translated.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heed::translation {

class TermList {
 public:
  /// target: what a translation has where the source has `source`. White space counts as one space, none around a term.
  /// Returns false, and changes nothing, where the source term is there already. source: not blank.
  bool add(std::string_view source, std::string_view target);
  bool empty() const { return targets_.empty(); }

  /// The targets of the terms that a line has, in their order, each as often as its source. A term is enclosed by word
  /// boundaries (text::is_word_boundary), letter by letter as it is in the list; where terms overlap, the one that
  /// begins first counts, of several the longest.
  std::vector<std::string> targets_in(std::string_view line) const;

 private:
  std::unordered_map<std::string, std::string> targets_;  // by the source
  size_t longest_ = 0;                                    // source, in characters
};

}  // namespace heed::translation
