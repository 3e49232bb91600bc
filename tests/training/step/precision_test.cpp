#include "heed_torch/training/step/precision.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace heed::training {
namespace {

at::ScalarType product_type() { return torch::ones({2, 2}).matmul(torch::ones({2, 2})).scalar_type(); }

TEST(PrecisionScope, CastsProductsWhileItLives) {
  {
    const PrecisionScope scope(c10::kCPU, Precision::Fp16);
    EXPECT_EQ(product_type(), torch::kHalf);
    {
      const AutocastPause pause(c10::kCPU);
      EXPECT_EQ(product_type(), torch::kFloat);
    }
    EXPECT_EQ(product_type(), torch::kHalf);
  }
  EXPECT_EQ(product_type(), torch::kFloat);
}

// 1 + 2^-9 is no bfloat16 number.
TEST(PrecisionScope, Bf16RoundsWhatProductsRead) {
  const at::Tensor x = at::full({2, 2}, 1.001953125), unit = at::eye(2);
  EXPECT_TRUE(at::equal(nn::affine(x, unit), x));
  const PrecisionScope scope(c10::kCPU, Precision::Bf16);
  EXPECT_TRUE(at::equal(nn::affine(x, unit), at::ones({2, 2})));
  EXPECT_EQ(nn::affine(x, unit).scalar_type(), torch::kFloat) << "what is between products stays float32";
  EXPECT_EQ(product_type(), torch::kFloat);
}

TEST(PrecisionScope, Fp32ChangesNothing) {
  const PrecisionScope scope(c10::kCPU, Precision::Fp32);
  EXPECT_EQ(product_type(), torch::kFloat);
}

TEST(DescribeProducts, TellsThatCudaAddsInNoFixedOrder) {
  EXPECT_EQ(describe_products(c10::kCUDA, Precision::Bf16),
            "bfloat16 matrix multiplications by LibTorch; CUDA may add in another order after resuming, so that "
            "bit-identical results are not guaranteed");
  EXPECT_EQ(describe_products(c10::kCPU, Precision::Bf16).find("order"), std::string::npos);
}

TEST(LossScaler, HalvesAtOverflowAndDoublesAfterSuccess) {
  LossScaler scaler(Precision::Fp16);
  EXPECT_EQ(scaler.scale(), 65536);
  EXPECT_TRUE(scaler.overflowed());
  EXPECT_EQ(scaler.scale(), 32768);
  for (int i = 0; i < 1999; ++i) scaler.succeeded();
  EXPECT_EQ(scaler.scale(), 32768);
  scaler.succeeded();
  EXPECT_EQ(scaler.scale(), 65536);
}

TEST(LossScaler, BlamesNoScaleOfOne) {
  LossScaler scaler(Precision::Fp16);
  int halvings = 0;
  while (scaler.overflowed()) ++halvings;
  EXPECT_EQ(halvings, 16);
  EXPECT_EQ(scaler.scale(), 1);
}

TEST(LossScaler, IsOneForOtherPrecisions) {
  LossScaler scaler(Precision::Bf16);
  for (int i = 0; i < 5000; ++i) scaler.succeeded();
  EXPECT_EQ(scaler.scale(), 1);
  EXPECT_FALSE(scaler.overflowed());
}

}  // namespace
}  // namespace heed::training
