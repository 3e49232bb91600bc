#include "heed/engine/recurrent/coverage.h"

#include <algorithm>
#include <variant>

#include "heed/kernels/row_kernels.h"

namespace heed::engine {

SourceCoverage::SourceCoverage(const Weights& weights, const std::string& name, const nn::CoverageOptions& options,
                               Precision precision)
    : width_(nn::width_of(options)),
      source_(read_linear(weights, name + ".source", precision)),
      step_(read_linear(weights, name + ".step", precision)),
      query_(read_linear(weights, name + ".query", precision)) {
  const auto* linguistic = std::get_if<nn::LinguisticCoverage>(&options);
  if (linguistic != nullptr) max_fertility_ = linguistic->max_fertility;
}

void SourceCoverage::of_source(const Rows& states, Scratch& scratch, Rows& made) const {
  scratch.operand.take(states);
  source_.multiply(scratch.operand, made);
  if (max_fertility_ == 0) return;
  for (int64_t j = 0; j < made.count(); ++j) {
    kernels::sigmoid(made.row(j), 1);
    made.row(j)[0] = 1 / (static_cast<float>(max_fertility_) * made.row(j)[0]);
  }
}

void SourceCoverage::ask(const Rows& queries, Scratch& scratch) const {
  if (max_fertility_ != 0) return;
  scratch.operand.take(queries);
  query_.multiply(scratch.operand, scratch.asked);
}

void SourceCoverage::take(const Step& step, Scratch& scratch, float* after) const {
  if (max_fertility_ == 0) return take_neural(step, scratch, after);
  for (int64_t j = 0; j < step.source; ++j) after[j] = step.before[j] + step.weights[j] * step.of_source[j];
}

void SourceCoverage::take_neural(const Step& step, Scratch& scratch, float* after) const {
  scratch.looked.resize(step.source, width_ + 1);
  for (int64_t j = 0; j < step.source; ++j) {
    std::copy_n(step.before + j * width_, width_, scratch.looked.row(j))[0] = step.weights[j];
  }
  scratch.operand.take(scratch.looked);
  step_.multiply(scratch.operand, scratch.next);
  const float* asked = scratch.asked.row(step.row);
  for (int64_t j = 0; j < step.source; ++j) {
    for (int64_t i = 0; i < width_; ++i) {
      after[j * width_ + i] = scratch.next.row(j)[i] + step.of_source[j * width_ + i] + asked[i];
    }
  }
  kernels::hyperbolic_tangent(after, step.source * width_);
}

}  // namespace heed::engine
