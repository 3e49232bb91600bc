// Tensors between host and device, several in one copy.
#include "heed_torch/nn/transfer.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "support/fake_device/events.h"
#include "support/fake_device/fake_device.h"

namespace heed::nn {
namespace {

using test_support::device_events;
using test_support::fake_device;
using test_support::reset_device_events;

/// Of several types and sizes that are no multiples of 8 bytes, one without elements and one that is not contiguous.
std::vector<Tensor> tensors() {
  return {
      torch::arange(6).view({2, 3}),  torch::tensor({true, false, true}), torch::tensor({1.5F, 2.5F, 3.5F}), Tensor(),
      torch::empty({0, 4}, at::kInt), torch::arange(6).view({2, 3}).t(),  torch::tensor({0.25}, at::kDouble)};
}

void expect_equal(const std::vector<Tensor>& found, const std::vector<Tensor>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].defined(), expected[i].defined()) << i;
    if (!expected[i].defined()) continue;
    EXPECT_EQ(found[i].scalar_type(), expected[i].scalar_type()) << i;
    EXPECT_TRUE(at::equal(found[i].cpu(), expected[i])) << i << found[i].cpu();
  }
}

TEST(Transfer, UploadsInOneCopyThatNobodyWaitsFor) {
  reset_device_events();
  const auto there = upload(tensors(), fake_device(1));
  EXPECT_EQ(device_events().uploads.size(), 1u);
  EXPECT_EQ(device_events().waits.size(), 0u);
  for (const Tensor& x : there) EXPECT_TRUE(!x.defined() || x.device() == fake_device(1));
  expect_equal(there, tensors());
}

TEST(Transfer, DownloadsInOneCopy) {
  std::vector<Tensor> there;
  for (const Tensor& x : tensors()) there.push_back(x.defined() ? x.to(fake_device(1)) : x);
  reset_device_events();
  const auto here = download(there);
  EXPECT_EQ(device_events().waits.size(), 1u) << describe(device_events().waits);
  for (const Tensor& x : here) EXPECT_TRUE(!x.defined() || (x.is_cpu() && x.is_contiguous()));
  expect_equal(here, tensors());
}

TEST(Transfer, OnTheCpuCopiesNothing) {
  const Tensor x = torch::ones({3});
  EXPECT_TRUE(upload(x, at::kCPU).is_same(x));
  EXPECT_TRUE(download({x}).front().is_same(x));
}

TEST(Transfer, OfNothingIsNothing) {
  EXPECT_FALSE(upload(Tensor(), fake_device()).defined());
  EXPECT_FALSE(download({Tensor()}).front().defined());
  EXPECT_EQ(download({torch::empty({0, 2}, at::device(fake_device()))}).front().sizes(), (std::vector<int64_t>{0, 2}));
}

}  // namespace
}  // namespace heed::nn
