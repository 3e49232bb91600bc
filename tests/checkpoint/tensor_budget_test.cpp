#include "heed_torch/checkpoint/tensor_budget.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <optional>
#include <thread>

#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::checkpoint {
namespace {

constexpr int64_t kBytes = 4000;  // of 1000 numbers

std::string refusal(int64_t numbers) {
  return testing::message_of<CheckpointError>([&] { at::zeros({numbers}); });
}

TEST(TensorBudget, IsTwiceTheBytesOfTheParameters) {
  std::optional<TensorBudget> budget(std::in_place, "m.safetensors", kBytes, "config.toml");
  const at::Tensor first = at::zeros({1000});
  const at::Tensor second = at::ones({1000});
  EXPECT_EQ(refusal(1),
            "m.safetensors: has 4000 bytes, but the model that config.toml describes takes more than twice as many");
  budget.reset();
  EXPECT_EQ(first.sum().item<float>() + second.sum().item<float>(), 1000) << "they may be used, and outlive it";
}

TEST(TensorBudget, IsSpentBeforeMemoryIsTaken) {
  const TensorBudget budget("m.safetensors", kBytes, "config.toml");
  EXPECT_NE(refusal(int64_t{1} << 50).find("more than twice"), std::string::npos);
}

TEST(TensorBudget, IsOfItsThreadWhileItLives) {
  std::optional<TensorBudget> budget(std::in_place, "m.safetensors", kBytes, "config.toml");
  std::thread([] { EXPECT_EQ(at::zeros({10'000}).numel(), 10'000); }).join();
  budget.reset();
  EXPECT_EQ(at::zeros({10'000}).numel(), 10'000);
}

}  // namespace
}  // namespace heed::checkpoint
