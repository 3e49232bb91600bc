// What ranks say to each other about tensors of a device.
#include <gtest/gtest.h>

#include <ATen/ATen.h>

#include "device/networks.h"
#include "heed/core/error.h"
#include "heed_torch/config/device.h"
#include "heed_torch/config/setup/join_ranks.h"
#include "support/message_of.h"
#include "support/rank_threads.h"

namespace heed::distributed {
namespace {

using heed::testing::compared_device;
using heed::testing::on_ranks;

TEST(DeviceRanks, TensorsOfADeviceGoThroughTheMemoryOfTheHost) {
  const at::Device device = compared_device();
  on_ranks(
      2,
      [&](const auto& ranks) {
        const auto rank = static_cast<double>(ranks->rank());
        const Tensor received = at::zeros({3}, at::device(device).dtype(at::kFloat));
        const Tensor sent = at::full({2 * (ranks->rank() + 1)}, rank + 1, received.options());
        const std::vector<int64_t> counts(2, ranks->rank() + 1);
        ranks->exchange(received, sent, {1, 2}, counts)();
        EXPECT_TRUE(received.cpu().equal(at::tensor({1.0F, 2.0F, 2.0F})));

        const Tensor values = at::full({2}, rank + 5, at::device(device).dtype(at::kDouble));
        ranks->add(values);
        EXPECT_TRUE(values.cpu().equal(at::full({2}, 11, at::kDouble)));
        const Tensor shared = at::full({2}, rank + 5, at::device(device).dtype(at::kDouble));
        ranks->broadcast(shared);
        EXPECT_TRUE(shared.cpu().equal(at::full({2}, 5, at::kDouble)));
      },
      Backend::Gloo);
}

TEST(DeviceRanks, EachHasTheDeviceOfItsPlaceOnTheMachine) {
  const std::string name = c10::DeviceTypeName(compared_device().type(), true);
  const auto second = [&](const std::string& device) {
    return config::pick_rank_device(device, {.index = 1, .count = 2}, Backend::Gloo);
  };
  EXPECT_EQ(second("cpu"), at::Device(at::kCPU));
  EXPECT_EQ(second(name + ":0").index(), 0) << "a number is a choice";
  if (heed::testing::on_cuda()) GTEST_SKIP() << "the fake device has two, a GPU may be the only one";
  EXPECT_EQ(second(name).index(), 1);
  EXPECT_EQ(second("auto").index(), 1);
  EXPECT_EQ(heed::testing::message_of<ConfigError>(
                [&] { config::pick_rank_device(name, {.index = 2, .count = 3}, Backend::Gloo); }),
            "`device` is `fake`, but process 3 of this machine has none of its 2 fake devices; several processes share "
            "one by its number, fake:0");
}

}  // namespace
}  // namespace heed::distributed
