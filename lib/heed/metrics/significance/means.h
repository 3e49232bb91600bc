// Means of floating-point numbers, bit-identical to Python's statistics.mean and numpy.mean. sacreBLEU uses the former
// for the confidence interval of a single system and the latter in paired tests.
#pragma once

#include <span>

namespace heed::metrics {

/// The exact mean, rounded once. values: at least one, finite, with magnitudes below 2^64.
double exact_mean(std::span<const double> values);

/// Pairwise summation in blocks of 8192, divided by the count (NumPy 1.24). values: at least one.
double numpy_mean(std::span<const double> values);

}  // namespace heed::metrics
