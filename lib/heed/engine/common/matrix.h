// A weight of the model as products read it: packed once, in the precision of use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heed/engine/common/precision.h"
#include "heed/engine/common/rows.h"
#include "heed/engine/common/weights.h"
#include "heed/kernels/product_kernels.h"

namespace heed::engine {

/// Rows as the left operand of products: rounded or quantized once for all of them. Holds no rows of its own in
/// float32: x must then outlive it.
class Operand {
 public:
  explicit Operand(Precision precision) : precision_(precision) {}

  /// Of now on x's rows.
  void take(const Rows& x);
  int64_t rows() const { return rows_; }
  int64_t width() const { return width_; }

 private:
  friend class Matrix;

  Precision precision_;
  int64_t rows_ = 0;
  int64_t width_ = 0;
  kernels::Groups groups_{};
  Buffer<uint32_t> narrow_;
  Buffer<float> scale_;  // of Int8: of each row
};

/// How a product ends.
struct Ending {
  bool relu = false;               ///< max(0, x W^T + b)
  const Rows* residual = nullptr;  ///< added at last: of the shape of y, which it may be; null: none
};

class Matrix {
 public:
  Matrix() = default;
  /// weight: [out, in]; bias: [out], or null for none.
  Matrix(const Weight& weight, const Weight* bias, Precision precision);

  int64_t in() const { return in_; }
  int64_t out() const { return out_; }
  /// y = x W^T + b. x: [rows, in], of this matrix' precision -> y: [rows, out].
  void multiply(const Operand& x, Rows& y, const Ending& ending = {}) const;
  /// The columns of some panels of y: y has room for [rows, panels * kPanel], `distance` floats from row to row.
  void multiply_panels(const Operand& x, kernels::PanelRange panels, float* y, int64_t distance) const;

 private:
  void multiply(const Operand& x, kernels::PanelRange panels, const kernels::Finish& finish) const;

  Precision precision_ = Precision::Float32;
  int64_t in_ = 0;
  int64_t out_ = 0;
  std::vector<float> bias_;  // whole panels
  Buffer<uint32_t> panels_;
  std::vector<float> scale_;         // of Int8, whole panels
  std::vector<int32_t> minus_sums_;  // of Int8, whole panels
};

/// W and b of heed_torch/nn/linear.h: the tensors `name`.weight and, with a bias, `name`.bias.
Matrix read_linear(const Weights& weights, const std::string& name, int64_t in, int64_t out, bool bias,
                   Precision precision);

}  // namespace heed::engine
