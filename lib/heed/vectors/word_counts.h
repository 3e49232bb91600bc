// The words of a text for training vectors: how often each stands there, and the text as their numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heed::vectors {

struct CountedText {
  std::vector<std::string> words;           ///< by falling count, then by bytes
  std::vector<int64_t> counts;              ///< of each
  std::vector<std::vector<int32_t>> lines;  ///< indices into `words`; rarer words are left out
  int64_t tokens = 0;                       ///< in `lines`
};

/// The words of the files' lines, separated by white space, that stand there at least `min_count` times. Throws
/// FileError and InputError, and Error when no word is left.
CountedText count_words(const std::vector<std::string>& files, int64_t min_count);

}  // namespace heed::vectors
