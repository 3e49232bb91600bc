// The confusion matrix: which classes a system confuses.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heed/metrics/labels/matches.h"
#include "heed/metrics/references.h"

namespace heed::metrics {

/// Labels of one class that the system assigned to another.
struct ConfusedPair {
  size_t gold = 0;   ///< index in Confusion::classes
  size_t found = 0;  ///< index in Confusion::classes
  int64_t count = 0;
};

class Confusion {
 public:
  /// The number of lines must equal that of the references. Throws LineError for a line that does not have one
  /// reference with the same number of labels.
  Confusion(std::span<const std::string> hypotheses, const References& references);

  /// The classes in references or hypotheses, in the order of their code points.
  const std::vector<std::string>& classes() const { return classes_; }
  /// The number of labels with these classes in the reference and in the hypothesis.
  int64_t count(size_t gold, size_t found) const;
  Matches matches(size_t of_class) const { return matches_[of_class]; }
  /// The mistakes, most frequent first; ties are in the order of the classes.
  std::vector<ConfusedPair> mistakes() const;

 private:
  std::vector<std::string> classes_;
  std::vector<Matches> matches_;
  std::map<std::pair<size_t, size_t>, int64_t> counts_;  // by gold and found; only counts above 0
};

}  // namespace heed::metrics
