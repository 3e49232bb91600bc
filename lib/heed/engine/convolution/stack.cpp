#include "heed/engine/convolution/stack.h"

#include "heed/kernels/row_kernels.h"

namespace heed::engine {

ConvolutionStack::ConvolutionStack(const Weights& weights, const models::ConvolutionStackOptions& stack,
                                   const EmbeddingTable& table, const std::string& name, Precision narrow)
    : options(stack),
      precision(narrow),
      embedding(table),
      positions(weights.get(name + ".positions.weight")),
      input(read_linear(weights, name + ".input", narrow)),
      output(read_linear(weights, name + ".output", narrow)) {}

void ConvolutionStack::embed(int32_t token, int64_t position, float* x) const {
  embedding.look_up(token, x);
  const float* added = positions.numbers.data() + position * d_model();
  for (int64_t i = 0; i < d_model(); ++i) x[i] += added[i];
}

GatedConvolution::GatedConvolution(const Weights& weights, const std::string& name, Precision precision)
    : map_(read_linear(weights, name + ".map", precision)) {}

void GatedConvolution::operator()(const Rows& windows, Operand& operand, Rows& y) const {
  operand.take(windows);
  map_.multiply(operand, y);
  const int64_t width = map_.out() / 2;
  for (int64_t row = 0; row < y.count(); ++row) {
    float* gates = y.row(row) + width;
    kernels::sigmoid(gates, width);
    kernels::multiply(y.row(row), gates, width);
  }
  y.narrow(width);
}

void add_scaled_residual(Rows& x, const Rows& y) {
  for (int64_t row = 0; row < x.count(); ++row) {
    for (int64_t i = 0; i < x.width(); ++i) x.row(row)[i] = (x.row(row)[i] + y.row(row)[i]) * kSqrtHalf;
  }
}

}  // namespace heed::engine
