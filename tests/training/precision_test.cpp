#include "heed/training/precision.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace heed::training {
namespace {

at::ScalarType product_type() { return torch::ones({2, 2}).matmul(torch::ones({2, 2})).scalar_type(); }

TEST(AutocastScope, CastsProductsWhileItLives) {
  {
    const AutocastScope scope(c10::kCPU, Precision::Bf16);
    EXPECT_EQ(product_type(), torch::kBFloat16);
    {
      const AutocastPause pause(c10::kCPU);
      EXPECT_EQ(product_type(), torch::kFloat);
    }
    EXPECT_EQ(product_type(), torch::kBFloat16);
  }
  EXPECT_EQ(product_type(), torch::kFloat);
  const AutocastScope scope(c10::kCPU, Precision::Fp16);
  EXPECT_EQ(product_type(), torch::kHalf);
}

TEST(AutocastScope, Fp32ChangesNothing) {
  const AutocastScope scope(c10::kCPU, Precision::Fp32);
  EXPECT_EQ(product_type(), torch::kFloat);
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
