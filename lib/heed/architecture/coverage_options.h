// The options of coverage. heed_torch/nn/attention/coverage.h has the formulas.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "heed/core/options.h"

namespace heed::nn {

struct NoCoverage {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoCoverage&) const = default;
};
void describe(NoCoverage&, AnyOptionVisitor auto&) {}

struct LinguisticCoverage {
  static constexpr std::string_view kName = "linguistic";
  double max_fertility = 2;  ///< N in the paper
  bool operator==(const LinguisticCoverage&) const = default;
};
void describe(LinguisticCoverage& o, AnyOptionVisitor auto& visit) {
  visit("max-fertility", o.max_fertility,
        "largest fertility: the number of target words that a source word can produce", at_least(0.1));
}

struct NeuralCoverage {
  static constexpr std::string_view kName = "neural";
  int64_t width = 10;
  bool operator==(const NeuralCoverage&) const = default;
};
void describe(NeuralCoverage& o, AnyOptionVisitor auto& visit) {
  visit("coverage-width", o.width, "size of a source word's coverage vector", between(1, 1e6));
}

using CoverageOptions = std::variant<NoCoverage, LinguisticCoverage, NeuralCoverage>;
/// The width of C_j; 0 without coverage.
inline int64_t width_of(const CoverageOptions& options) {
  if (std::holds_alternative<LinguisticCoverage>(options)) return 1;
  const auto* neural = std::get_if<NeuralCoverage>(&options);
  return neural ? neural->width : 0;
}

}  // namespace heed::nn
