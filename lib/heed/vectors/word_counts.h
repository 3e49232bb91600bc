// The words of a training text for vectors: the count of each word, the text as word indices, and negative samples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/core/random.h"

namespace heed::vectors {

struct CountedText {
  std::vector<std::string> words;           ///< in order of decreasing count, ties in byte order
  std::vector<int64_t> counts;              ///< count of each word
  std::vector<std::vector<int32_t>> lines;  ///< indices into `words`; words that are too rare are left out
  int64_t tokens = 0;                       ///< number of indices in `lines`
};

/// Counts the words of the files' lines, which are separated by white space, and keeps those with at least `min_count`
/// occurrences. Throws FileError and InputError, and Error if no word is left.
CountedText count_words(const std::vector<std::string>& files, int64_t min_count);

/// The distribution of negative samples: words in proportion to count^(3/4) (Mikolov et al. 2013, section 2.2,
/// https://arxiv.org/abs/1310.4546).
class NoiseWords {
 public:
  explicit NoiseWords(const std::vector<int64_t>& counts);
  /// Samples the index of a word.
  int32_t draw(RandomStream& random) const;

 private:
  std::vector<double> sums_;
};

}  // namespace heed::vectors
