// Which classes a system takes for which: its labels counted beside those of the references.
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

/// Labels of one class that the system gave another.
struct Mistake {
  size_t gold = 0;   ///< the class's place in Confusion::classes
  size_t found = 0;  ///< that of the other
  int64_t count = 0;
};

class Confusion {
 public:
  /// Of as many lines as there are references. Throws LineError for a line that has not as many labels as its one
  /// reference.
  Confusion(std::span<const std::string> hypotheses, const References& references);

  /// Those that occur in references or hypotheses, in the order of their code points.
  const std::vector<std::string>& classes() const { return classes_; }
  /// How often the reference has the one class where the hypothesis has the other.
  int64_t count(size_t gold, size_t found) const;
  Matches matches(size_t of_class) const { return matches_[of_class]; }
  /// The most frequent first; those as frequent in the order of the classes.
  std::vector<Mistake> mistakes() const;

 private:
  std::vector<std::string> classes_;
  std::vector<Matches> matches_;
  std::map<std::pair<size_t, size_t>, int64_t> counts_;  // by gold and found; those that are not 0
};

}  // namespace heed::metrics
