#include "heed/engine/recurrent/readout.h"

#include <algorithm>
#include <variant>

#include "heed/kernels/cell_kernels.h"
#include "heed/kernels/row_kernels.h"

namespace heed::engine {

Readout::Readout(const Weights& weights, const std::string& name, const models::ReadoutOptions& options,
                 int64_t d_context, int64_t d_model, Precision precision)
    : maxout_(std::holds_alternative<models::MaxoutReadout>(options)),
      d_context_(d_context),
      d_model_(d_model),
      map_(read_linear(weights, name + ".map", precision)) {}

void Readout::operator()(const Rows& states, const Rows& contexts, const Rows& embedded, Scratch& scratch,
                         Rows& read) const {
  if (map_.empty()) {
    read.resize(states.count(), states.width());
    std::copy_n(states.data(), states.count() * states.distance(), read.data());
    return;
  }
  scratch.in.resize(states.count(), map_.in());
  for (int64_t row = 0; row < states.count(); ++row) {
    float* to = std::copy_n(states.row(row), states.width(), scratch.in.row(row));
    if (d_context_ > 0) to = std::copy_n(contexts.row(row), d_context_, to);
    if (maxout_) std::copy_n(embedded.row(row), d_model_, to);
  }
  scratch.operand.take(scratch.in);
  map_.multiply(scratch.operand, read);
  if (!maxout_) return kernels::hyperbolic_tangent(read.data(), read.count() * read.distance());
  for (int64_t row = 0; row < read.count(); ++row)
    kernels::take_larger(read.row(row), read.row(row) + d_model_, d_model_);
  read.narrow(d_model_);
}

}  // namespace heed::engine
