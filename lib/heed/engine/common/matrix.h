// A weight matrix, packed once for matrix multiplication in its precision.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/engine/common/precision.h"
#include "heed/engine/common/rows.h"
#include "heed/engine/common/weights.h"
#include "heed/kernels/gemm_kernels.h"

namespace heed::engine {

/// The left operand of a matrix multiplication: rows that are rounded or quantized once, for use with several matrices.
/// In float32 it refers to the rows of x, which must then outlive it.
class Operand {
 public:
  /// largest_byte: of Int8.
  explicit Operand(Precision precision, int largest_byte = 127) : precision_(precision), largest_byte_(largest_byte) {}

  /// Takes the rows of x as its contents.
  void take(const Rows& x);
  int64_t rows() const { return rows_; }
  int64_t width() const { return width_; }

 private:
  friend class Matrix;

  Precision precision_;
  int largest_byte_;
  int64_t rows_ = 0;
  int64_t width_ = 0;
  kernels::Groups groups_{};
  Buffer<uint32_t> narrow_;
  Buffer<float> scale_;  // Int8 only: per row
};

/// What follows a matrix multiplication.
struct Ending {
  bool relu = false;               ///< max(0, x W^T + b)
  const Rows* residual = nullptr;  ///< added last; has the shape of y and may be y itself; null: none
};

class Matrix {
 public:
  Matrix() = default;
  /// weight: [out, in]; bias: [out]; null: none.
  Matrix(const Weight& weight, const Weight* bias, Precision precision);

  bool empty() const { return out_ == 0; }
  int64_t in() const { return in_; }
  int64_t out() const { return out_; }
  /// y = x W^T + b. x: [rows, in], in the precision of this matrix -> y: [rows, out].
  void multiply(const Operand& x, Rows& y, const Ending& ending = {}) const;
  /// The columns of some panels of y: y has room for [rows, panels * kPanel], `distance` floats from row to row.
  void multiply_panels(const Operand& x, kernels::PanelRange panels, float* y, int64_t distance) const;

 private:
  void multiply(const Operand& x, kernels::PanelRange panels, const kernels::Epilogue& finish) const;

  Precision precision_ = Precision::Float32;
  int64_t in_ = 0;
  int64_t out_ = 0;
  std::vector<float> bias_;  // padded to whole panels
  Buffer<uint32_t> panels_;
  std::vector<float> scale_;         // Int8 only, padded to whole panels
  std::vector<int32_t> minus_sums_;  // Int8 only, padded to whole panels
};

/// Reads W and b of heed_torch/nn/linear.h: the tensors `name`.weight and, with a bias, `name`.bias. The matrix is
/// empty if the model has no such projection.
Matrix read_linear(const Weights& weights, const std::string& name, Precision precision);

}  // namespace heed::engine
