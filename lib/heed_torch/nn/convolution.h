// A convolution over the places of a grid, or of a sequence, which is a grid of one row:
//   y_o(r, c) = sum_i sum_(a, b) W_oi(a, b) x_i(s r + a - p, s c + b - p) + b_o
// The kernel has k places on each side (for a sequence: 1 row), the stride is s, and p zeros are added at each border.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/nn/linear.h"

namespace heed::nn {

struct ConvolutionOptions {
  int64_t in, out;      ///< feature maps of x and of y
  int64_t kernel;       ///< k
  int64_t stride = 1;   ///< s
  int64_t padding = 0;  ///< p
  bool grid = true;     ///< false: a sequence; kernel, stride and padding apply to its one row
  bool bias = true;     ///< whether b is added
  bool operator==(const ConvolutionOptions&) const = default;
};

class ConvolutionImpl : public torch::nn::Module {
 public:
  explicit ConvolutionImpl(const ConvolutionOptions& options);

  /// x: float [S, in, rows, columns] -> [S, out, output rows, output columns].
  Tensor forward(const Tensor& x);

  Linear map{nullptr};  ///< W, b: [out, in * k * k], for a sequence [out, in * k]

 private:
  int64_t rows() const { return options_.grid ? options_.kernel : 1; }
  std::vector<int64_t> of_both(int64_t value, int64_t of_one_row) const {
    return {options_.grid ? value : of_one_row, value};
  }

  ConvolutionOptions options_;
};
TORCH_MODULE(Convolution);

}  // namespace heed::nn
