// Logistic regression of a few features by Newton's method.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace heed::curation {

template <size_t N>
double logistic(const std::array<double, N>& weights, const std::array<double, N>& x) {
  double sum = 0;
  for (size_t i = 0; i < N; ++i) sum += weights[i] * x[i];
  return 1 / (1 + std::exp(-sum));
}

namespace regression_detail {

/// Solves A x = b for a positive definite A by Gaussian elimination.
template <size_t N>
std::array<double, N> solve(std::array<std::array<double, N>, N> a, std::array<double, N> b) {
  for (size_t column = 0; column < N; ++column) {
    for (size_t row = column + 1; row < N; ++row) {
      const double factor = a[row][column] / a[column][column];
      for (size_t k = column; k < N; ++k) a[row][k] -= factor * a[column][k];
      b[row] -= factor * b[column];
    }
  }
  for (size_t row = N; row-- > 0;) {
    for (size_t k = row + 1; k < N; ++k) b[row] -= a[row][k] * b[k];
    b[row] /= a[row][row];
  }
  return b;
}

}  // namespace regression_detail

/// Weights for which logistic() is near 1 for the positive examples and near 0 for the negative ones. Both classes
/// count the same, whatever their sizes. A small quadratic penalty keeps the weights finite.
template <size_t N>
std::array<double, N> fit_logistic_regression(const std::vector<std::array<double, N>>& positive,
                                              const std::vector<std::array<double, N>>& negative) {
  constexpr int kIterations = 25;
  constexpr double kPenalty = 1e-3;
  std::array<double, N> weights{};
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    std::array<std::array<double, N>, N> hessian{};
    std::array<double, N> gradient{};
    for (size_t i = 0; i < N; ++i) {
      hessian[i][i] = kPenalty;
      gradient[i] = -kPenalty * weights[i];
    }
    for (const auto& [examples, label] : {std::pair(&positive, 1.0), std::pair(&negative, 0.0)}) {
      const double share = 1 / static_cast<double>(examples->size() + 1);
      for (const auto& x : *examples) {
        const double p = logistic(weights, x);
        for (size_t i = 0; i < N; ++i) {
          gradient[i] += share * (label - p) * x[i];
          for (size_t k = 0; k < N; ++k) hessian[i][k] += share * p * (1 - p) * x[i] * x[k];
        }
      }
    }
    const auto change = regression_detail::solve(hessian, gradient);
    for (size_t i = 0; i < N; ++i) weights[i] += change[i];
  }
  return weights;
}

}  // namespace heed::curation
