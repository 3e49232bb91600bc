#include "heed_torch/nn/products/product.h"

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

class ProductOf : public ::testing::TestWithParam<Shape> {};

// Small ones go another way than large ones; each operand may be a transposed view, or rows out of a wider matrix.
TEST_P(ProductOf, IsThatOfDoubles) {
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

TEST_P(ProductOf, HasTheGradientsOfLibTorchsLinear) {
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

INSTANTIATE_TEST_SUITE_P(Shapes, ProductOf,
                         ::testing::Values(Shape{1, 3, 2}, Shape{7, 5, 9}, Shape{1, 2048, 1024}, Shape{130, 96, 200},
                                           Shape{301, 128, 129}, Shape{64, 515, 77}));

TEST(Affine, WithoutBiasAndOfOneSide) {
  const Tensor x = random({200, 96}, 1), weight = random({128, 96}, 2).requires_grad_();
  const Tensor y = affine(x, weight);
  y.sum().backward();
  EXPECT_LT(largest_difference(weight.grad(), x.sum(0).expand({128, 96})), 1e-3);
  EXPECT_FALSE(x.grad().defined());
}

Tensor rounded(const Tensor& x) { return x.to(at::kBFloat16).to(at::kFloat); }

TEST(Product, AssignsAndAdds) {
  const Tensor a = random({7, 5}, 1), b = random({9, 5}, 2), result = at::full({7, 9}, 100.);
  const Tensor expected = at::mm(a, b.t());
  assign_product(result, a, b);
  EXPECT_LT(largest_difference(result, expected), 1e-5);
  add_product(result, a, b);
  EXPECT_LT(largest_difference(result, 2 * expected), 1e-5);
  const Tensor of_double = at::ones({7, 9}, at::kDouble);
  add_product(of_double, a.to(at::kDouble), b.to(at::kDouble));
  EXPECT_LT(largest_difference(of_double - 1, at::mm(a.to(at::kDouble), b.to(at::kDouble).t())), 1e-12);
}

// Inner sizes that differ would be read beyond the end.
TEST(Product, RefusesSizesThatDoNotAgree) {
  const Tensor a = random({7, 5}, 1), b = random({9, 4}, 2), result = at::zeros({7, 9});
  EXPECT_THROW(product(a, b), c10::Error);
  EXPECT_THROW(assign_product(result, a, b), c10::Error);
  EXPECT_THROW(add_product(result, a, b), c10::Error);
  EXPECT_THROW(assign_product(result, random({7, 5}, 1), random({8, 5}, 2)), c10::Error);
  EXPECT_THROW(assign_product(result, random({7}, 1), random({9, 5}, 2)), c10::Error);
}

TEST(Product, OfNothingIsZero) {
  const Tensor result = at::ones({2, 3}), bias = random({3}, 1);
  for (const bool rounds : {false, true}) {
    const RoundedProducts scope(rounds);
    EXPECT_EQ(affine(at::zeros({0, 8}), random({3, 8}, 2), bias).sizes(), (std::vector<int64_t>{0, 3}));
    EXPECT_TRUE(at::equal(product(at::zeros({2, 0}), at::zeros({3, 0}), bias), bias.expand({2, 3})));
    result.fill_(1);
    add_product(result, at::zeros({2, 0}), at::zeros({3, 0}));
    EXPECT_TRUE(at::equal(result, at::ones({2, 3})));
    assign_product(result, at::zeros({2, 0}), at::zeros({3, 0}));
    EXPECT_TRUE(at::equal(result, at::zeros({2, 3})));
    const Tensor none = at::zeros({0, 3});
    assign_product(none, at::zeros({0, 8}), as_operand(random({3, 8}, 2)));
  }
}

TEST(Rounded, ProductsReadRoundedOperandsAndSumInFloat32) {
  const Tensor a = random({70, 90}, 1), b = random({50, 90}, 2), bias = random({50}, 3);
  const Tensor expected = at::mm(rounded(a), rounded(b).t()) + bias;
  const RoundedProducts scope(true);
  EXPECT_LT(largest_difference(product(a, b, bias), expected), 1e-4);
  EXPECT_LT(largest_difference(product(as_operand(a), as_operand(b), bias), expected), 1e-4);
  const Tensor across = a.t().contiguous().t(), with_gaps = at::cat({b, b}, 1).narrow(1, 90, 90);
  EXPECT_TRUE(at::equal(as_operand(across), as_operand(a)));
  EXPECT_LT(largest_difference(product(across, with_gaps, bias), expected), 1e-4);
  EXPECT_EQ(product(a, b).scalar_type(), at::kFloat);
  {
    const RoundedProducts inner(false);
    EXPECT_GT(largest_difference(product(a, b, bias), expected), 1e-4);
    EXPECT_EQ(as_operand(a).scalar_type(), at::kFloat);
  }
  EXPECT_LT(largest_difference(product(a, b, bias), expected), 1e-4);
}

TEST(Rounded, AffineHasGradientsOfRoundedOperands) {
  const RoundedProducts scope(true);
  const Tensor x = random({70, 90}, 1).requires_grad_(), weight = random({50, 90}, 2).requires_grad_();
  const Tensor bias = random({50}, 3).requires_grad_(), dy = random({70, 50}, 4);
  const auto found = torch::autograd::grad({affine(x, weight, bias)}, {x, weight, bias}, {dy});
  EXPECT_LT(largest_difference(found[0], at::mm(rounded(dy), rounded(weight))), 1e-4);
  EXPECT_LT(largest_difference(found[1], at::mm(rounded(dy).t(), rounded(x))), 1e-4);
  EXPECT_LT(largest_difference(found[2], dy.sum(0)), 1e-4);
}

TEST(Rounded, AffineOfBfloat16SumsInFloat32AndRoundsItsResultOnce) {
  const RoundedProducts scope(true);
  for (const bool with_bias : {true, false}) {
    const Tensor x = random({70, 90}, 1).to(at::kBFloat16).requires_grad_();
    const Tensor weight = random({50, 90}, 2).requires_grad_(), bias = random({50}, 3).requires_grad_();
    const Tensor dy = random({70, 50}, 4).to(at::kBFloat16), of_float = dy.to(at::kFloat);
    const Tensor y = affine(x, weight, with_bias ? bias : Tensor());
    const Tensor added = with_bias ? bias : at::zeros({50});
    const Tensor exact = at::mm(x.to(at::kFloat), rounded(weight).t()) + added;
    ASSERT_EQ(y.scalar_type(), at::kBFloat16);
    EXPECT_TRUE(at::allclose(y.to(at::kFloat), exact, /*rtol=*/0.0041, /*atol=*/1e-4));
    std::vector<Tensor> inputs{x, weight};
    if (with_bias) inputs.push_back(bias);
    const auto found = torch::autograd::grad({y}, inputs, {dy});
    ASSERT_EQ(found[0].scalar_type(), at::kBFloat16);
    EXPECT_TRUE(at::allclose(found[0].to(at::kFloat), at::mm(of_float, rounded(weight)), 0.0041, 1e-4));
    ASSERT_EQ(found[1].scalar_type(), at::kFloat) << "gradients of weights are float32 sums";
    EXPECT_LT(largest_difference(found[1], at::mm(of_float.t(), x.to(at::kFloat))), 1e-4);
    if (with_bias) {
      EXPECT_LT(largest_difference(found[2], of_float.sum(0)), 1e-4);
    }
  }
}

TEST(Rounded, ActivationsHaveAGradientOfTheirOwnType) {
  const Tensor x = random({3, 5}, 1).requires_grad_();
  EXPECT_TRUE(activations(x).is_same(x));
  const RoundedProducts scope(true);
  const Tensor y = activations(x);
  EXPECT_TRUE(at::equal(y, x.to(at::kBFloat16)));
  EXPECT_TRUE(activations(y).is_same(y));
  EXPECT_EQ(torch::autograd::grad({y.sum()}, {x})[0].scalar_type(), at::kFloat);
}

TEST(Rounded, AStepRoundsEachWeightOnce) {
  const auto parameter = [](const Tensor& values) {
    Tensor made = values.detach().requires_grad_();
    made.mutable_grad() = at::zeros_like(values);  // as in a training step
    return made;
  };
  const Tensor weight = parameter(random({50, 90}, 1)), other = parameter(random({50, 90}, 2));
  const Tensor of_a_replica = parameter(weight);
  RoundedWeights weights;
  const RoundedProducts scope(true, &weights);
  const Tensor operand = as_operand(weight);
  EXPECT_TRUE(at::equal(operand, weight.to(at::kBFloat16)));
  EXPECT_TRUE(operand.is_same(as_operand(of_a_replica)));
  EXPECT_TRUE(at::equal(as_operand(other), other.to(at::kBFloat16)));
  const Tensor rows = random({50, 90}, 3).requires_grad_();
  EXPECT_FALSE(as_operand(rows).is_same(as_operand(rows))) << "activations are not kept";
}

TEST(Rounded, NumbersRoundToTheNearestAndTiesToEven) {
  // 8 bits of fraction and more: 1 + 2^-8 lies between 1 and 1 + 2^-7, to even is 1; 1 + 3 * 2^-8 goes up.
  const Tensor x = at::tensor({1.F, 1.00390625F, 1.01171875F, -1.00390625F, 1.0039064F, 3e38F, 0.F}).view({1, 7});
  const Tensor expected = x.to(at::kBFloat16);
  const RoundedProducts scope(true);
  EXPECT_TRUE(at::equal(as_operand(x), expected));
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
