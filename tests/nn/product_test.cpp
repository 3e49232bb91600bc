#include "heed/nn/product.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "nn/values.h"

namespace heed::nn {
namespace {

struct Shape {
  int64_t m, k, n;
};

class Product : public ::testing::TestWithParam<Shape> {};

// Small ones go another way than large ones; each operand may be a transposed view, or rows out of a wider matrix.
TEST_P(Product, IsThatOfDoubles) {
  const auto [m, k, n] = GetParam();
  const Tensor a = random({m, k}, 1), b = random({n, k}, 2), bias = random({n}, 3);
  const Tensor expected = at::mm(a.to(at::kDouble), b.to(at::kDouble).t());
  const double tolerance = 1e-6 * static_cast<double>(k);
  const Tensor a_view = a.t().contiguous().t(), b_view = b.t().contiguous().t();
  const Tensor a_rows = at::cat({a, a}, 1).narrow(1, 0, k), b_rows = at::cat({b, b}, 1).narrow(1, k, k);
  for (const Tensor& left : {a, a_view, a_rows}) {
    for (const Tensor& right : {b, b_view, b_rows}) {
      EXPECT_LT(largest_difference(product(left, right).to(at::kDouble), expected), tolerance);
    }
  }
  EXPECT_LT(largest_difference(product(a, b, bias).to(at::kDouble), expected + bias.to(at::kDouble)), tolerance);
}

TEST_P(Product, HasTheGradientsOfLibTorchsLinear) {
  const auto [m, k, n] = GetParam();
  const Tensor dy = random({m, 2, n}, 4);
  std::vector<std::vector<Tensor>> gradients;
  for (const bool ours : {true, false}) {
    const Tensor x = random({m, 2, k}, 1).requires_grad_(), weight = random({n, k}, 2).requires_grad_();
    const Tensor bias = random({n}, 3).requires_grad_();
    const Tensor y = ours ? affine(x, weight, bias) : at::linear(x, weight, bias);
    gradients.push_back(torch::autograd::grad({y}, {x, weight, bias}, {dy}));
    gradients.back().push_back(y.detach());
  }
  for (size_t i = 0; i < gradients[0].size(); ++i) {
    const double size = gradients[1][i].abs().max().item<double>();
    EXPECT_LT(largest_difference(gradients[0][i], gradients[1][i]), 1e-5 * std::max(1.0, size)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Product,
                         ::testing::Values(Shape{1, 3, 2}, Shape{7, 5, 9}, Shape{1, 2048, 1024}, Shape{130, 96, 200},
                                           Shape{301, 128, 129}, Shape{64, 515, 77}));

TEST(Affine, WithoutBiasAndOfOneSide) {
  const Tensor x = random({200, 96}, 1), weight = random({128, 96}, 2).requires_grad_();
  const Tensor y = affine(x, weight);
  y.sum().backward();
  EXPECT_LT(largest_difference(weight.grad(), x.sum(0).expand({128, 96})), 1e-3);
  EXPECT_FALSE(x.grad().defined());
}

// Rows of numbers that are not finite must not become finite ones.
TEST(Affine, KeepsWhatIsNotFinite) {
  Tensor x = random({200, 96}, 1);
  x[3][5] = std::numeric_limits<float>::quiet_NaN();
  const Tensor finite = affine(x, random({128, 96}, 2)).isfinite().all(1);
  EXPECT_FALSE(finite[3].item<bool>());
  EXPECT_EQ(finite.sum().item<int64_t>(), 199);
}

}  // namespace
}  // namespace heed::nn
