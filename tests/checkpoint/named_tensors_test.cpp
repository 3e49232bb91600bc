#include "heed_torch/checkpoint/named_tensors.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::checkpoint {
namespace {

struct Inner : torch::nn::Module {
  Inner()
      : weight(register_parameter("weight", torch::zeros({2, 3}))), seen(register_buffer("seen", torch::zeros({1}))) {}
  at::Tensor weight, seen;
};
struct Outer : torch::nn::Module {
  Outer()
      : inner(register_module("inner", std::make_shared<Inner>())),
        bias(register_parameter("bias", torch::zeros({2}))) {}
  std::shared_ptr<Inner> inner;
  at::Tensor bias;
};

NamedTensors fitting() {
  return {
      {"inner.weight", torch::ones({2, 3})}, {"inner.seen", torch::ones({1})}, {"bias", torch::ones({2}, at::kDouble)}};
}

TEST(NamedTensors, AreParametersAndBuffersByDottedName) {
  const Outer module;
  const NamedTensors tensors = named_tensors(module);
  ASSERT_EQ(tensors.size(), 3U);
  EXPECT_EQ(tensors.at("inner.weight").data_ptr(), module.inner->weight.data_ptr());
  EXPECT_FALSE(tensors.at("bias").requires_grad());
  EXPECT_TRUE(tensors.contains("inner.seen"));
}

TEST(NamedTensors, AreCopiedInPlace) {
  Outer module;
  const void* storage = module.inner->weight.data_ptr();
  load_into(module, fitting(), "file");
  EXPECT_EQ(module.inner->weight.data_ptr(), storage);
  EXPECT_EQ(module.inner->weight.sum().item<float>(), 6);
  EXPECT_EQ(module.inner->seen.item<float>(), 1);
  EXPECT_EQ(module.bias.scalar_type(), at::kFloat);
  EXPECT_TRUE(module.bias.requires_grad());
}

TEST(NamedTensors, MustFit) {
  Outer module;
  const auto complaint = [&module](const NamedTensors& tensors) {
    return testing::message_of<CheckpointError>([&] { load_into(module, tensors, "file"); });
  };
  NamedTensors tensors = fitting();
  tensors["inner.weight"] = torch::ones({3, 2});
  EXPECT_EQ(complaint(tensors), "file: `inner.weight` must have the shape [2, 3], it has [3, 2]");
  tensors = fitting();
  tensors["extra"] = torch::ones({1});
  tensors.erase("bias");
  tensors.erase("inner.seen");
  EXPECT_EQ(complaint(tensors), "file: does not fit the model: it lacks `bias` and 1 more; the model has no `extra`");
  EXPECT_EQ(module.inner->weight.sum().item<float>(), 0) << "nothing was loaded";
}

}  // namespace
}  // namespace heed::checkpoint
