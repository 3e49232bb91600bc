#include "heed_torch/checkpoint/averaging.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::checkpoint {
namespace {

struct Averaging : ::testing::Test {
  std::string put(const NamedTensors& tensors) {
    paths.push_back(directory.file(std::to_string(paths.size())));
    write_tensors(paths.back(), tensors);
    return paths.back();
  }
  std::string complaint() {
    return testing::message_of<CheckpointError>([this] { average_tensors(paths); });
  }
  testing::TemporaryDirectory directory;
  std::vector<std::string> paths;
};

TEST_F(Averaging, IsTheMeanInDoublePrecision) {
  put({{"w", torch::tensor({1.0F, 1e8F})}, {"count", torch::tensor({3})}, {"half", torch::tensor({1.0}, at::kHalf)}});
  put({{"w", torch::tensor({2.0F, 1.0F})}, {"count", torch::tensor({3})}, {"half", torch::tensor({2.0}, at::kHalf)}});
  put({{"w", torch::tensor({6.0F, -1e8F})}, {"count", torch::tensor({3})}, {"half", torch::tensor({6.0}, at::kHalf)}});
  const NamedTensors means = average_tensors(paths);
  EXPECT_TRUE(means.at("w").equal(torch::tensor({3.0F, static_cast<float>(1.0 / 3)})));
  EXPECT_TRUE(means.at("count").equal(torch::tensor({3})));
  EXPECT_EQ(means.at("half").scalar_type(), at::kHalf);
  EXPECT_EQ(means.at("half").item<float>(), 3);
}

TEST_F(Averaging, OfOneIsItself) {
  put({{"w", torch::tensor({0.1F, 0.7F})}});
  EXPECT_TRUE(average_tensors(paths).at("w").equal(torch::tensor({0.1F, 0.7F})));
}

TEST_F(Averaging, FilesMustHoldTheSame) {
  put({{"w", torch::ones({2})}});
  const std::string other = put({{"v", torch::ones({2})}});
  EXPECT_EQ(complaint(), other + ": cannot be averaged with the others: it lacks `w`");
  write_tensors(other, {{"w", torch::ones({3})}});
  EXPECT_EQ(complaint(), other + ": cannot be averaged with the others: `w` is Float [3], theirs is Float [2]");
  write_tensors(other, {{"w", torch::ones({2})}, {"x", torch::ones({2})}});
  EXPECT_EQ(complaint(), other + ": cannot be averaged with the others: they lack `x`");
  write_tensors(paths[0], {{"n", torch::tensor({1})}});
  write_tensors(other, {{"n", torch::tensor({2})}});
  EXPECT_EQ(complaint(), other + ": cannot be averaged with the others: `n` holds other whole numbers");
}

}  // namespace
}  // namespace heed::checkpoint
