#include "heed_torch/nn/random/dropout.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "heed/kernels/dropout_kernel.h"
#include "heed_torch/nn/random/random_scope.h"

namespace heed::nn {
namespace {

// 0 and 1 for the elements of one mask of `count` elements.
Tensor kept(uint64_t part, int64_t count, double probability) {
  const RandomScope scope(1, 1, part);
  return nn::dropout(torch::ones({count}), probability, true).ne(0).to(at::kDouble);
}

double correlation(const Tensor& a, const Tensor& b) {
  const Tensor x = a - a.mean(), y = b - b.mean();
  return (x * y).sum().item<double>() / std::sqrt((x * x).sum().item<double>() * (y * y).sum().item<double>());
}

TEST(Dropout, IsTheIdentityWhenOff) {
  const Tensor x = torch::randn({4, 5});
  EXPECT_TRUE(nn::dropout(x, 0.5, false).is_same(x));
  EXPECT_TRUE(nn::dropout(x, 0, true).is_same(x));
  EXPECT_TRUE(dropout_add(x, x, 0.5, false).equal(x + x));
}

TEST(Dropout, RefusesWrongArguments) {
  const Tensor x = torch::ones({4});
  EXPECT_THROW(nn::dropout(x, 1, true), c10::Error);
  EXPECT_THROW(nn::dropout(x, -0.1, true), c10::Error);
  EXPECT_THROW(nn::dropout(torch::ones({4}, at::kLong), 0.5, true), c10::Error);
  EXPECT_THROW(dropout_add(x, torch::ones({2, 2}), 0.5, true), c10::Error);
  EXPECT_THROW(nn::dropout(x, 0.5, true), std::logic_error);  // no RandomScope
}

TEST(WordDropout, TakesWholeTokensAndScalesNone) {
  const Tensor x = torch::randn({40, 50, 6}) + 10;
  EXPECT_TRUE(word_dropout(x, 0.5, false).is_same(x));
  EXPECT_TRUE(word_dropout(x, 0, true).is_same(x));
  const auto dropped = [&x](uint64_t part) {
    const RandomScope scope(1, 1, part);
    return word_dropout(x, 0.25, true);
  };
  const Tensor found = dropped(0), kept = found.ne(0).any(2);
  EXPECT_TRUE(found.equal(x * kept.unsqueeze(2))) << "a token is kept as it is, or all of it is 0";
  EXPECT_NEAR(kept.to(at::kDouble).mean().item<double>(), 0.75, 0.04);
  EXPECT_TRUE(found.equal(dropped(0)));
  EXPECT_FALSE(found.equal(dropped(1)));
}

TEST(WordDropout, OfADroppedTokenNoGradientArrives) {
  const Tensor x = torch::ones({3, 20, 4}).requires_grad_();
  const RandomScope scope(1, 1, 1);
  const Tensor found = word_dropout(x, 0.5, true);
  found.sum().backward();
  EXPECT_TRUE(x.grad().equal(found.detach()));
}

TEST(Dropout, SameKeyGivesTheSameMaskAndTheNextDrawAnother) {
  const Tensor x = torch::ones({3, 50});
  const RandomScope outer(1, 2, 3);
  const Tensor first = nn::dropout(x, 0.5, true);
  const RandomScope again(1, 2, 3);
  EXPECT_TRUE(nn::dropout(x, 0.5, true).equal(first));
  EXPECT_FALSE(nn::dropout(x, 0.5, true).equal(first));
}

TEST(Dropout, DropsTheShareAskedForAndKeepsTheMean) {
  constexpr int64_t kCount = 1 << 20;
  for (const double p : {0.001, 0.1, 0.3, 0.5, 0.9}) {
    const Tensor mask = kept(0, kCount, p);
    const double deviation = std::sqrt(p * (1 - p) / kCount);
    EXPECT_NEAR(mask.mean().item<double>(), 1 - p, 4 * deviation + 1.0 / 65536);
    // The number kept among 256 neighbors is binomial: its variance shows clusters.
    const double variance = mask.view({-1, 256}).sum(1).var().item<double>();
    EXPECT_NEAR(variance / (256 * p * (1 - p)), 1, 6 * std::sqrt(2.0 * 256 / kCount) / std::min(1.0, 256 * p));
  }
}

TEST(Dropout, ScaleIsExactForTheStepTaken) {
  const RandomScope scope(1, 1, 1);
  const Tensor y = nn::dropout(torch::ones({1000}, at::kDouble), 0.1, true);
  const double keep = (65536.0 - 6554) / 65536;
  EXPECT_EQ(y.max().item<double>(), 1 / keep);
  EXPECT_EQ(y.min().item<double>(), 0);
  EXPECT_EQ(kernels::DropoutMask::with_probability(0, 1e-9).threshold, 1U);
  EXPECT_EQ(kernels::DropoutMask::with_probability(0, 1 - 1e-9).threshold, 65535U);
}

TEST(Dropout, ElementsAndKeysAreIndependent) {
  constexpr int64_t kCount = 1 << 18;
  const double limit = 4.5 / std::sqrt(kCount);
  const Tensor mask = kept(0, kCount, 0.3);
  for (const int64_t lag : {1, 2, 3, 8, 16, 32, 64, 512, 1024}) {
    const double found = correlation(mask.narrow(0, lag, kCount - lag), mask.narrow(0, 0, kCount - lag));
    EXPECT_LT(std::abs(found), limit) << lag;
  }
  for (uint64_t part = 1; part < 10; ++part) EXPECT_LT(std::abs(correlation(mask, kept(part, kCount, 0.3))), limit);
}

// Stored values: a resumed run depends on them, on every processor.
TEST(Dropout, MaskNeverChanges) {
  std::vector<float> x(40, 1), y(40);
  kernels::apply_dropout<float>(kernels::DropoutMask::with_probability(0x123456789abcdef0, 0.5), x.data(), nullptr,
                                y.data(), 0, 40);
  std::string mask;
  for (const float value : y) mask += value == 0 ? '0' : '1';
  EXPECT_EQ(mask, "0110001010001000110001010001111101010001");
}

TEST(Dropout, MaskDependsOnTheIndexAlone) {
  const auto mask = kernels::DropoutMask::with_probability(99, 0.4);
  constexpr int64_t kCount = 1003;
  std::vector<float> x(kCount, 1), whole(kCount), parts(kCount);
  kernels::apply_dropout<float>(mask, x.data(), nullptr, whole.data(), 0, kCount);
  kernels::apply_dropout<float>(mask, x.data(), nullptr, parts.data(), 320, kCount);
  kernels::apply_dropout<float>(mask, x.data(), nullptr, parts.data(), 0, 320);
  EXPECT_EQ(parts, whole);

  const Tensor values = torch::randn({300, 700});
  const RandomScope first(1, 1, 1);
  const Tensor contiguous = nn::dropout(values, 0.4, true);
  const RandomScope second(1, 1, 1);
  EXPECT_TRUE(nn::dropout(values.t().contiguous().t(), 0.4, true).equal(contiguous));
  const int threads = at::get_num_threads();
  at::set_num_threads(3);
  const RandomScope third(1, 1, 1);
  EXPECT_TRUE(nn::dropout(values, 0.4, true).equal(contiguous));
  at::set_num_threads(threads);
}

class DropoutOfType : public testing::TestWithParam<at::ScalarType> {};

TEST_P(DropoutOfType, EveryTypeHasTheSameMask) {
  const Tensor x = torch::randn({5, 77}).to(GetParam());
  const RandomScope scope(1, 1, 1);
  const Tensor y = nn::dropout(x, 0.25, true);
  const RandomScope again(1, 1, 1);
  const auto scale_type = GetParam() == at::kDouble ? at::kDouble : at::kFloat;
  const Tensor mask = nn::dropout(torch::ones({5, 77}, scale_type), 0.25, true);
  EXPECT_EQ(y.scalar_type(), GetParam());
  EXPECT_TRUE(y.equal((x.to(at::kDouble) * mask).to(GetParam())));
}

TEST_P(DropoutOfType, GradientIsTheMaskTimesTheScale) {
  const Tensor x = torch::randn({5, 77}).to(GetParam()).requires_grad_();
  const Tensor residual = torch::randn({5, 77}).to(GetParam()).requires_grad_();
  const Tensor weight = torch::randn({5, 77}).to(GetParam());
  const RandomScope scope(1, 1, 1);
  const Tensor y = nn::dropout(x, 0.25, true);
  y.backward(weight);
  const RandomScope again(1, 1, 1);
  const Tensor expected = nn::dropout(weight, 0.25, true);
  EXPECT_TRUE(x.grad().equal(expected));

  x.mutable_grad().reset();
  const RandomScope third(1, 1, 1);
  const Tensor sum = dropout_add(residual, x, 0.25, true);
  const double step = GetParam() == at::kBFloat16 ? 2e-2 : GetParam() == at::kHalf ? 2e-3 : 1e-6;
  EXPECT_TRUE(torch::allclose(sum, residual + y, step, step));
  sum.backward(weight);
  EXPECT_TRUE(x.grad().equal(expected));
  EXPECT_TRUE(residual.grad().equal(weight));
}

INSTANTIATE_TEST_SUITE_P(Types, DropoutOfType, testing::Values(at::kFloat, at::kDouble, at::kBFloat16, at::kHalf));

TEST(Dropout, AddTakesMixedTypes) {
  const RandomScope scope(1, 1, 1);
  const Tensor sum = dropout_add(torch::ones({8}), torch::ones({8}).to(at::kBFloat16), 0.5, true);
  EXPECT_EQ(sum.scalar_type(), at::kFloat);
  EXPECT_TRUE((sum.eq(1) | sum.eq(3)).all().item<bool>());
}

TEST(Dropout, NotANumberIsNotHidden) {
  const RandomScope scope(1, 1, 1);
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
    const Tensor y = nn::dropout(torch::full({64}, std::nan(""), type), 0.5, true);
    EXPECT_GT(y.isnan().sum().item<int64_t>(), 10);
  }
}

TEST(Dropout, SecondDerivativeIsDefined) {
  const Tensor x = torch::randn({40}, torch::requires_grad());
  const RandomScope scope(1, 1, 1);
  const Tensor y = nn::dropout(x, 0.5, true);  // x^2 where kept, times 4
  const Tensor gradient = torch::autograd::grad({(y * y).sum()}, {x}, {}, {}, /*create_graph=*/true)[0];
  const Tensor second = torch::autograd::grad({gradient.sum()}, {x})[0];
  EXPECT_TRUE(second.equal(y.ne(0).to(at::kFloat) * 8));
}

TEST(Dropout, RunsOnTheMetaDevice) {
  const Tensor x = torch::empty({3, 4}, torch::device(at::kMeta).requires_grad(true));
  const RandomScope scope(1, 1, 1);
  dropout_add(x, nn::dropout(x, 0.5, true), 0.5, true).sum().backward();
  EXPECT_TRUE(x.grad().is_meta());
}

TEST(Dropout, RunsOnCuda) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
  const Tensor x = torch::ones({1 << 16}, torch::device(at::kCUDA).requires_grad(true));
  const RandomScope scope(1, 1, 1);
  const Tensor y = nn::dropout(x, 0.25, true);
  const RandomScope again(1, 1, 1);
  EXPECT_TRUE(nn::dropout(x, 0.25, true).equal(y));
  EXPECT_FALSE(nn::dropout(x, 0.25, true).equal(y));
  EXPECT_NEAR(y.mean().item<double>(), 1, 0.02);
  y.sum().backward();
  EXPECT_TRUE(x.grad().equal(y));
}

}  // namespace
}  // namespace heed::nn
