// Precision, recall and F1 (van Rijsbergen 1979).
#pragma once

namespace heed::metrics {

/// In percent; 0 if `whole` is 0, as in scikit-learn with zero_division=0.
inline double percent_of(double part, double whole) { return whole > 0 ? 100 * (part / whole) : 0; }

/// The number of items that the hypotheses have (found), that the references have (gold), and that both have (right).
struct Matches {
  double right = 0;
  double found = 0;
  double gold = 0;

  double precision() const { return percent_of(right, found); }
  double recall() const { return percent_of(right, gold); }
  /// The harmonic mean of precision and recall.
  double f1() const { return percent_of(2 * right, found + gold); }
};

}  // namespace heed::metrics
