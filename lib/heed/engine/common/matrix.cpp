#include "heed/engine/common/matrix.h"

#include <algorithm>

#include "heed/core/error.h"
#include "heed/kernels/row_kernels.h"

namespace heed::engine {
namespace {

/// The number of groups of a row of `inner` numbers.
int64_t groups_of(int64_t inner, Precision precision) {
  switch (precision) {
    case Precision::Float32:
      return inner;
    case Precision::BFloat16:
      return kernels::whole_tiles((inner + 1) / 2);
    case Precision::Int8:
      break;
  }
  return kernels::whole_tiles((inner + 3) / 4);
}

constexpr kernels::Group kSigns = 0x80808080;  // turns bytes above 0 into signed ones 128 below, and back

int32_t sum_of_signed_bytes(kernels::Group group) {
  int32_t sum = 0;
  for (int byte = 0; byte < 4; ++byte) sum += static_cast<int8_t>(group >> (8 * byte) & 0xff);
  return sum;
}

}  // namespace

void Operand::take(const Rows& x) {
  rows_ = x.count();
  width_ = x.width();
  const int64_t count = groups_of(width_, precision_);
  if (precision_ == Precision::Float32) {
    groups_ = {reinterpret_cast<const kernels::Group*>(x.data()), count, x.distance()};
    return;
  }
  uint32_t* narrow = narrow_.reserve(kernels::whole_tiles(rows_) * count);
  groups_ = {narrow, count, count};
  if (precision_ == Precision::BFloat16)
    return kernels::round_rows(x.data(), x.distance(), rows_, width_, narrow, count);
  kernels::quantize_rows(x.data(), x.distance(), rows_, width_, narrow, count, scale_.reserve(rows_), largest_byte_);
}

Matrix::Matrix(const Weight& weight, const Weight* bias, Precision precision)
    : precision_(precision), in_(weight.columns), out_(weight.rows) {
  const auto padded = static_cast<size_t>(kernels::panels_of(out_) * kernels::kPanel);
  bias_.assign(padded, 0);
  if (bias != nullptr) std::ranges::copy(bias->numbers, bias_.begin());
  const int64_t groups = groups_of(in_, precision);
  const int64_t size = kernels::panels_of(out_) * groups * kernels::kPanel;
  uint32_t* packed = panels_.reserve(size);
  std::fill(packed, packed + size, 0u);

  Rows row;
  row.resize(1, in_);
  Operand operand(precision, kernels::largest_weight_byte());
  const bool bytes = precision == Precision::Int8;
  if (bytes) scale_.assign(padded, 0);
  if (bytes) minus_sums_.assign(padded, 0);
  for (int64_t column = 0; column < out_; ++column) {
    std::copy_n(weight.numbers.begin() + column * in_, in_, row.data());
    operand.take(row);
    uint32_t* to = packed + column / kernels::kPanel * groups * kernels::kPanel + column % kernels::kPanel;
    for (int64_t i = 0; i < groups; ++i) {
      const kernels::Group group = operand.groups_.numbers[i];
      to[i * kernels::kPanel] = bytes ? group ^ kSigns : group;
      if (bytes) minus_sums_[static_cast<size_t>(column)] -= 128 * sum_of_signed_bytes(group ^ kSigns);
    }
    if (bytes) scale_[static_cast<size_t>(column)] = operand.scale_.data()[0];
  }
}

void Matrix::multiply(const Operand& x, Rows& y, const Ending& ending) const {
  const bool in_place = ending.residual == &y;
  if (!in_place) y.resize(x.rows(), out_);
  multiply(x, {0, kernels::panels_of(out_)},
           {.y = y.data(),
            .y_row = y.distance(),
            .bias = bias_.data(),
            .relu = ending.relu,
            .residual = ending.residual == nullptr ? nullptr : ending.residual->data()});
}

void Matrix::multiply_panels(const Operand& x, kernels::PanelRange panels, float* y, int64_t distance) const {
  multiply(x, panels, {.y = y, .y_row = distance, .bias = bias_.data() + panels.first * kernels::kPanel});
}

void Matrix::multiply(const Operand& x, kernels::PanelRange panels, const kernels::Epilogue& finish) const {
  check(x.width() == in_ && x.precision_ == precision_, "the rows do not fit the matrix that multiplies them");
  const kernels::Groups weight{panels_.data(), x.groups_.count};
  const int64_t column = panels.first * kernels::kPanel;
  switch (precision_) {
    case Precision::Float32:
      return kernels::float_gemm(x.groups_, x.rows(), weight, panels, finish);
    case Precision::BFloat16:
      return kernels::bfloat16_gemm(x.groups_, x.rows(), weight, panels, finish);
    case Precision::Int8:
      break;
  }
  kernels::int8_gemm(
      x.groups_, x.rows(), weight, panels,
      {.x = x.scale_.data(), .weight = scale_.data() + column, .minus_sums = minus_sums_.data() + column}, finish);
}

Matrix read_linear(const Weights& weights, const std::string& name, Precision precision) {
  if (!weights.has(name + ".weight")) return {};
  const Weight weight = weights.get(name + ".weight");
  Weight vector;
  const bool bias = weights.has(name + ".bias");
  if (bias) vector = weights.get(name + ".bias");
  Matrix matrix(weight, bias ? &vector : nullptr, precision);
  weights.release(weight);
  return matrix;
}

}  // namespace heed::engine
