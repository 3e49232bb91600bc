// The fake device refuses what CUDA refuses, and says what CUDA would wait for.
#include <gtest/gtest.h>

#include <torch/torch.h>

#include "device/networks.h"
#include "support/fake_device/events.h"
#include "support/fake_device/fake_device.h"
#include "support/message_of.h"

namespace heed::test_support {
namespace {

using at::Tensor;

class FakeDevice : public ::testing::Test {
 protected:
  void SetUp() override { reset_device_events(); }
  const Tensor on_first = at::ones({3}, at::device(fake_device(0)));
  const Tensor on_second = at::ones({3}, at::device(fake_device(1)));
  const Tensor on_host = at::ones({3});
};

TEST_F(FakeDevice, ComputesWhatTheCpuDoes) {
  const Tensor sum = (on_second * 2 + on_second).sum();
  EXPECT_EQ(sum.device(), fake_device(1));
  EXPECT_EQ(sum.item<double>(), 9);
}

TEST_F(FakeDevice, RefusesTensorsOfSeveralDevices) {
  EXPECT_THROW(on_first + on_host, c10::Error);
  EXPECT_THROW(on_host + on_first, c10::Error);
  EXPECT_THROW(on_first + on_second, c10::Error);
  EXPECT_THROW(at::cat({on_first, on_host}), c10::Error);
  EXPECT_THROW(at::where(on_first > 0, on_first, on_host), c10::Error);
}

TEST_F(FakeDevice, RefusesAnIndexOfAnotherDevice) {
  const Tensor index = at::zeros({1}, at::kLong);
  EXPECT_THROW(on_first.index_select(0, index), c10::Error);
  EXPECT_THROW(on_first.index({index.to(fake_device(1))}), c10::Error);
  EXPECT_THROW(on_host.index_select(0, index.to(fake_device(0))), c10::Error);
  EXPECT_EQ(on_first.index_select(0, index.to(fake_device(0))).device(), fake_device(0));
}

TEST_F(FakeDevice, RefusesAGeneratorOfAnotherDevice) {
  auto other = at::globalContext().getAcceleratorHooksInterface(at::kPrivateUse1).getNewGenerator(1);
  Tensor noise = at::empty({3}, at::device(fake_device(0)));
  EXPECT_THROW(noise.uniform_(0, 1, other), c10::Error);
  EXPECT_THROW(noise.uniform_(0, 1, at::detail::createCPUGenerator()), c10::Error);
  EXPECT_THROW(noise.uniform_(0, 1), c10::Error) << "no checkpoint has the state of the device's own generator";
}

TEST_F(FakeDevice, DrawsTheSameFromTheSameSeed) {
  auto generator = at::globalContext().getAcceleratorHooksInterface(at::kPrivateUse1).getNewGenerator(0);
  const auto drawn = [&] {
    generator.set_current_seed(7);
    return at::empty({4}, at::device(fake_device(0))).uniform_(0, 1, generator).cpu();
  };
  EXPECT_TRUE(at::equal(drawn(), drawn()));
}

TEST_F(FakeDevice, HasMemoryThatTheHostMayNotTouch) {
  EXPECT_DEATH({ std::printf("%f\n", static_cast<double>(*on_first.const_data_ptr<float>())); }, "");
  EXPECT_DEATH({ *on_first.mutable_data_ptr<float>() = 1; }, "");
}

TEST_F(FakeDevice, HoldsNaNUntilSomethingIsWritten) {
  EXPECT_TRUE(at::empty({5}, at::device(fake_device(0))).isnan().all().item<bool>());
}

TEST_F(FakeDevice, HasNoThirdDevice) { EXPECT_THROW(at::ones({3}, at::device(fake_device(2))), c10::Error); }

TEST_F(FakeDevice, CountsWaits) {
  EXPECT_EQ(device_events().waits.size(), 0u);
  on_first.sum().item<float>();
  on_first.cpu();
  static_cast<void>(at::equal(on_first, on_first));
  on_first.nonzero();
  on_first.index({on_first > 0});
  on_host.to(fake_device(0));
  EXPECT_EQ(device_events().waits.size(), 6u) << describe(device_events().waits);
  static_cast<void>(on_first + on_first);
  EXPECT_EQ(device_events().waits.size(), 6u) << describe(device_events().waits);
}

TEST_F(FakeDevice, WaitsForNoPinnedUpload) {
  const Tensor pinned = on_host.pin_memory();
  ASSERT_TRUE(pinned.is_pinned());
  EXPECT_FALSE(on_host.is_pinned());
  const Tensor moved = pinned.to(fake_device(0), /*non_blocking=*/true);
  EXPECT_EQ(device_events().uploads.size(), 1u);
  EXPECT_EQ(device_events().waits.size(), 0u) << describe(device_events().waits);
  pinned.to(fake_device(0));                          // the host waits, as it is not told not to
  on_host.to(fake_device(0), /*non_blocking=*/true);  // the memory could be gone before it is read
  EXPECT_EQ(device_events().uploads.size(), 3u);
  EXPECT_EQ(device_events().waits.size(), 2u) << describe(device_events().waits);
  EXPECT_TRUE(at::equal(moved.cpu(), on_host));
}

TEST_F(FakeDevice, CastsUnderAutocast) {
  const training::PrecisionScope scope(at::kPrivateUse1, training::Precision::Bf16);
  const Tensor matrix = at::ones({3, 3}, at::device(fake_device(0)));
  EXPECT_EQ(at::mm(matrix, matrix).scalar_type(), at::kBFloat16);
  EXPECT_EQ(at::softmax(at::mm(matrix, matrix), -1).scalar_type(), at::kFloat);
}

}  // namespace
}  // namespace heed::test_support
