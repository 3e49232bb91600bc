// Coverage (heed_torch/nn/attention/coverage.h) of one hypothesis at a time: how much past attention each source
// position got.
//   linguistic  C_j' = C_j + weights_j / F_j,   F_j = N sigmoid(u . h_j)
//   neural      C_j' = tanh(V_c C_j + V_a weights_j + V_h h_j + V_s s)
#pragma once

#include <cstdint>
#include <string>

#include "heed/architecture/coverage_options.h"
#include "heed/engine/common/matrix.h"

namespace heed::engine {

class SourceCoverage {
 public:
  /// options: not NoCoverage. name: prefix of its parameters.
  SourceCoverage(const Weights& weights, const std::string& name, const nn::CoverageOptions& options,
                 Precision precision);

  int64_t width() const { return width_; }

  /// The working memory of one thread.
  struct Scratch {
    explicit Scratch(Precision precision) : operand(precision) {}
    Operand operand;
    Rows asked, looked, next;
  };
  /// 1 / F, or V_h h. states: [positions, d_memory] -> [positions, width].
  void of_source(const Rows& states, Scratch& scratch, Rows& made) const;
  /// Computes V_s s of all hypotheses, into the scratch memory. queries: [rows, d_query].
  void ask(const Rows& queries, Scratch& scratch) const;

  struct Step {
    const float* before;     ///< [source, width]
    const float* weights;    ///< [source]
    const float* of_source;  ///< [source, width]
    int64_t source;
    int64_t row;  ///< the row of ask() for this hypothesis
  };
  /// Updates the coverage. after: [source, width], must not overlap `before`.
  void take(const Step& step, Scratch& scratch, float* after) const;

 private:
  void take_neural(const Step& step, Scratch& scratch, float* after) const;

  int64_t width_;
  double max_fertility_ = 0;  // linguistic only
  Matrix source_, step_, query_;
};

}  // namespace heed::engine
