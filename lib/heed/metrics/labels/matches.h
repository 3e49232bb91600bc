// Precision, recall and F1 (van Rijsbergen 1979) from how many of what was found is right.
#pragma once

namespace heed::metrics {

/// In percent, 0 where nothing could be divided by, as scikit-learn has it with zero_division=0.
inline double percent_of(double part, double whole) { return whole > 0 ? 100 * (part / whole) : 0; }

/// Things that hypotheses have, that references have, and that both have.
struct Matches {
  double right = 0;
  double found = 0;
  double gold = 0;

  double precision() const { return percent_of(right, found); }
  double recall() const { return percent_of(right, gold); }
  /// The harmonic mean of both.
  double f1() const { return percent_of(2 * right, found + gold); }
};

}  // namespace heed::metrics
