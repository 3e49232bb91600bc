#include "heed_torch/nn/products/gemm.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "nn/values.h"

namespace heed::nn {
namespace {

template <class T>
class Gemm : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_gemm<T>()) {
      GTEST_SKIP()
          << "oneDNN is not installed, the processor has no instructions for such numbers, or this build has the "
             "address sanitizer";
    }
  }
};
using NumberTypes = ::testing::Types<float, c10::BFloat16>;
TYPED_TEST_SUITE(Gemm, NumberTypes);

// [1 2; 3 4] [5 6; 7 8] = [19 22; 43 50], with every way of lying in memory.
TYPED_TEST(Gemm, MultipliesByHand) {
  const TypeParam a[] = {1, 2, 3, 4}, a_across[] = {1, 3, 2, 4}, b[] = {5, 6, 7, 8}, b_across[] = {5, 7, 6, 8};
  for (const bool a_transposed : {false, true}) {
    for (const bool b_transposed : {false, true}) {
      float result[] = {-1, -1, -1, -1};
      gemm<TypeParam>(2, 2, 2, {a_transposed ? a_across : a, 2, a_transposed},
                      {b_transposed ? b_across : b, 2, b_transposed}, 0, result, 1);
      EXPECT_EQ((std::vector<float>(result, result + 4)), (std::vector<float>{19, 22, 43, 50}));
    }
  }
}

TYPED_TEST(Gemm, AddsToWhatIsThere) {
  const TypeParam a[] = {2}, b[] = {3};
  float result[] = {10};
  gemm<TypeParam>(1, 1, 1, {a, 1, false}, {b, 1, false}, 1, result, 1);
  EXPECT_EQ(result[0], 16);
}

TYPED_TEST(Gemm, SkipsGapsBetweenRows) {
  const TypeParam a[] = {1, 2, 99, 3, 4, 99}, b[] = {1, 0, 0, 1};
  float result[4];
  gemm<TypeParam>(2, 2, 2, {a, 3, false}, {b, 2, false}, 0, result, 1);
  EXPECT_EQ((std::vector<float>(result, result + 4)), (std::vector<float>{1, 2, 3, 4}));
}

TYPED_TEST(Gemm, MultipliesMatricesOfManySizesAsLibTorchDoes) {
  const auto type = c10::CppTypeToScalarType<TypeParam>::value;
  for (const auto& [m, n, k] : {std::array<int64_t, 3>{1, 300, 17}, {5, 3, 129}, {97, 65, 31}, {300, 130, 257}}) {
    const at::Tensor a = random({m, k}, 1).to(type), b = random({k, n}, 2).to(type);
    at::Tensor result = at::empty({m, n});
    gemm<TypeParam>(m, n, k, {a.const_data_ptr<TypeParam>(), k, false}, {b.const_data_ptr<TypeParam>(), n, false}, 0,
                    result.mutable_data_ptr<float>(), 1);
    const at::Tensor exact = at::mm(a.to(at::kDouble), b.to(at::kDouble));
    EXPECT_LT(largest_difference(result.to(at::kDouble), exact), 1e-4);
  }
}

// LibTorch's own oneDNN, a different version, must go on to work beside it, and this one with several threads.
TEST(FloatGemm, LivesBesideLibTorchs) {
  if (!has_gemm<float>()) GTEST_SKIP() << "oneDNN is not installed, or this build has the address sanitizer";
  const at::Tensor a = random({300, 200}, 1), b = random({100, 200}, 2);
  at::Tensor result = at::empty({300, 100});
  gemm<float>(300, 100, 200, {a.const_data_ptr<float>(), 200, false}, {b.const_data_ptr<float>(), 200, true}, 0,
              result.mutable_data_ptr<float>(), 2);
  const at::Tensor expected = at::mm(a, b.t());
  EXPECT_LT(largest_difference(result, expected), 1e-3);
  EXPECT_LT(largest_difference(at::mm(a.to(at::kBFloat16), b.to(at::kBFloat16).t()).to(at::kFloat), expected), 1);
}

}  // namespace
}  // namespace heed::nn
