// Means of floating-point numbers to the last bit as Python's statistics.mean and numpy.mean give them: sacreBLEU uses
// the one for the confidence of a single system and the other in paired tests.
#pragma once

#include <span>

namespace heed::metrics {

/// The exact mean, rounded once. For one or more finite numbers of magnitudes below 2^64.
double exact_mean(std::span<const double> values);

/// Pairwise summation in stretches of 8192, divided by the count (NumPy 1.24). For one or more numbers.
double numpy_mean(std::span<const double> values);

}  // namespace heed::metrics
