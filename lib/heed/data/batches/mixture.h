// Mixing corpora: of each update's pairs every corpus gives its share, whatever its size. An epoch has as many pairs as
// the corpora together; so a pair of a corpus with share s, of n of all N pairs, comes s N / n times an epoch: the
// whole part of that always, and once more with a probability of the rest, drawn anew in every epoch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/data/encoded/encoded_corpus.h"

namespace heed::data {

/// PATTERN=WEIGHT: the files whose path or name the pattern (as the shell has them: * ? [...]) matches are one corpus.
struct MixedPart {
  std::string pattern;
  double weight = 1;
};
/// Throws ConfigError, about data.mix, where an entry is no PATTERN=WEIGHT with a weight above 0.
std::vector<MixedPart> parse_mix(const std::vector<std::string>& mix);

/// How often a pair comes in an epoch.
class Mixture {
 public:
  /// Every pair once.
  Mixture() = default;
  /// Each file of the target (or of pairs) is of the first part that matches it. Throws ConfigError, about data.mix,
  /// where a file is of none, or a part has no pair.
  Mixture(const EncodedCorpus& corpus, const std::vector<std::string>& mix);

  bool any() const { return !copies_.empty(); }
  /// Of a pair in an epoch; a function of (seed, epoch, pair).
  int64_t copies(const EncodedCorpus& corpus, int64_t pair, uint64_t seed, int64_t epoch) const;
  /// "news*: 66.7% of the pairs, each 2.0 times an epoch; web*: ..."
  const std::string& description() const { return description_; }

 private:
  std::vector<double> copies_;  // of the pairs of each file; empty: all come once
  std::string description_;
};

}  // namespace heed::data
