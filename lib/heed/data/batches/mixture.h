// Mixes corpora: each corpus has a given share of the pairs of every step, whatever its size. An epoch has N pairs,
// as many as all corpora together. A pair of a corpus with n pairs and share s is used s N / n times per epoch. If this
// number is not whole, its fraction is the probability of one more use, sampled again in every epoch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/data/encoded/encoded_corpus.h"

namespace heed::data {

/// PATTERN=WEIGHT. The files whose path or name matches the shell pattern (* ? [...]) form one corpus.
struct WeightedCorpus {
  std::string pattern;
  double weight = 1;
};
/// Throws ConfigError, about data.corpus-weights, unless every entry is PATTERN=WEIGHT with a weight above 0.
std::vector<WeightedCorpus> parse_mix(const std::vector<std::string>& mix);

/// How many times each pair is used in an epoch.
class Mixture {
 public:
  /// Every pair is used once.
  Mixture() = default;
  /// Each file of targets (or of pairs) belongs to the first pattern that matches it. Throws ConfigError, about
  /// data.corpus-weights, if a file matches no pattern or a pattern has no pairs.
  Mixture(const EncodedCorpus& corpus, const std::vector<std::string>& mix);

  bool any() const { return !copies_.empty(); }
  /// How many times a pair is used in this epoch: a function of (seed, epoch, pair).
  int64_t copies(const EncodedCorpus& corpus, int64_t pair, uint64_t seed, int64_t epoch) const;
  /// "news*: 66.7% of the pairs, each 2.0 times an epoch; web*: ..."
  const std::string& description() const { return description_; }

 private:
  std::vector<double> copies_;  // uses per epoch of a pair of each file; empty: once
  std::string description_;
};

}  // namespace heed::data
