#include "layers/allocation_counter.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace heed::benchmarks {
namespace {

TEST(AllocationCounter, CountsBytesOfTensorsAndTheirPeak) {
  const AllocationCounter counter;
  EXPECT_EQ(counter.held(), 0);
  {
    const at::Tensor a = at::empty({10, 3}), b = at::empty({5}, at::kLong);
    EXPECT_EQ(counter.held(), 120 + 40);
  }
  EXPECT_EQ(counter.held(), 0);
  const at::Tensor c = at::empty({7}, at::kByte);
  EXPECT_EQ(counter.held(), 7);
  EXPECT_EQ(counter.peak(), 160);
}

TEST(AllocationCounter, ViewsShareTheirBytesAndTemporariesCount) {
  const AllocationCounter counter;
  const at::Tensor x = at::zeros({4, 8});
  const at::Tensor transposed = x.t();
  EXPECT_EQ(counter.peak(), 128);
  const at::Tensor sum = (x + 1).add_(transposed.contiguous().view({4, 8})).sum();
  EXPECT_EQ(counter.held(), 128 + 4);
  EXPECT_EQ(counter.peak(), 3 * 128 + 4);  // x + 1 and the copy beside x live until the statement ends
}

TEST(AllocationCounter, TensorsFromBeforeDoNotCountAndThoseFromWithinMayStay) {
  at::Tensor before = at::ones({100}), within;
  {
    const AllocationCounter counter;
    before = at::Tensor();
    EXPECT_EQ(counter.held(), 0);
    within = at::ones({50});
    EXPECT_EQ(counter.held(), 200);
  }
  EXPECT_EQ(within.sum().item<float>(), 50);
  within = at::Tensor();
  const AllocationCounter other;
  EXPECT_EQ(other.peak(), 0);
}

TEST(AllocationCounter, GradientsCount) {
  at::Tensor x = at::ones({25}).requires_grad_();
  const AllocationCounter counter;
  x.mul(2).backward(at::ones({25}));
  EXPECT_EQ(x.grad().sum().item<float>(), 50);
  EXPECT_EQ(counter.held(), 100);  // the gradient stays
  EXPECT_GE(counter.peak(), 200);  // with the product or what is propagated beside it
}

}  // namespace
}  // namespace heed::benchmarks
