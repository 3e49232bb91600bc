// Which language a text is in, by the character trigrams of a language's words. They are learned from the text of one
// side of a corpus, which is nearly all in one language. No other knowledge of languages is needed.
//
// A trigram g = abc of a word, whose ends count as characters, scores log p(g) / (p(a) p(b) p(c)): above 0 if the
// language has it more often than chance would. The score of a text is the mean over its trigrams. Lines that score
// badly are left out, and the trigrams are counted again, so that lines in another language do not become a part of the
// profile. Rare characters count as more frequent than they are: otherwise, trigrams with characters of other languages
// would score well.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "heed/curation/checks/side_text.h"
#include "heed/curation/learned/robust_statistics.h"

namespace heed::curation {

struct LanguageScore {
  double mean = 0;       ///< of its trigrams
  int64_t trigrams = 0;  ///< of its words with letters
  double sum() const { return mean * static_cast<double>(trigrams); }
};

class LanguageProfile {
 public:
  /// Learns from lines, each given as the lower-case words of a text.
  explicit LanguageProfile(std::span<const std::vector<std::u32string>> lines);
  LanguageProfile() = default;

  LanguageScore score(std::span<const std::u32string_view> words) const;

 private:
  void learn(std::span<const std::vector<std::u32string>> lines, const std::vector<bool>& left_out);

  std::unordered_map<uint64_t, float> scores_;      // of the trigrams seen
  std::unordered_map<char32_t, float> characters_;  // log p(c)
  float unseen_ = 0;                                // log p of a trigram not seen
  float rare_ = 0;                                  // log p of a character not seen
};

/// The profile of a side. A line must not be compared with trigrams that it has itself brought in: each half of the
/// lines is scored by the profile of the other half.
class SideLanguage {
 public:
  /// lines: the words of each line of a sample, as SideText gives them.
  explicit SideLanguage(std::span<const std::vector<std::u32string>> lines);

  LanguageScore score(const SideText& text) const;
  /// By how many deviations a score is above the median of lines of the same length.
  double deviation(const LanguageScore& score) const { return spreads_.deviation(score.trigrams, score.mean); }

 private:
  LanguageProfile halves_[2];
  SpreadByLength spreads_;  // of the scores, by trigrams
};

}  // namespace heed::curation
