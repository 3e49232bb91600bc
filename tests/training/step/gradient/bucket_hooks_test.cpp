#include "heed_torch/training/step/gradient/bucket_hooks.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include <torch/csrc/autograd/variable.h>
#include <torch/torch.h>

namespace heed::training {
namespace {

/// Three parameters of 16 numbers, in the order in which a forward pass uses them.
std::vector<Tensor> make_parameters() {
  std::vector<Tensor> parameters;
  for (int i = 0; i < 3; ++i) parameters.push_back(torch::full({16}, 0.5F).requires_grad_());
  return parameters;
}

Tensor loss_of(const std::vector<Tensor>& parameters) {
  Tensor states = torch::ones({16});
  for (const Tensor& parameter : parameters) states = (states * parameter).tanh();
  return states.sum();
}

const std::vector<FlatRange> kOneEach{{0, 16}, {16, 32}, {32, kNormChunk}};

TEST(BucketPlan, KnowsWhatLiesWhere) {
  const BucketPlan plan(make_parameters(), {{0, 24}, {24, kNormChunk}});
  EXPECT_EQ(plan.of_parameter, (std::vector<std::vector<size_t>>{{0}, {0, 1}, {1}}));
  EXPECT_EQ(plan.parameters_in, (std::vector<size_t>{2, 2}));
}

TEST(BucketHooks, AreDoneWhileThePassGoesOn) {
  const auto parameters = make_parameters();
  const BucketPlan plan(parameters, kOneEach);
  std::vector<std::string> events;
  for (size_t i = 0; i < parameters.size(); ++i) {
    parameters[i].register_hook([&, i](const Tensor& gradient) {
      events.push_back("gradient of " + std::to_string(i));
      return gradient;
    });
  }
  std::vector<Tensor> seen(3);
  BucketHooks buckets(parameters, plan, [&](size_t bucket) {
    events.push_back("bucket " + std::to_string(bucket));
    seen[bucket] = parameters[bucket].grad().clone();
  });
  loss_of(parameters).backward();
  const std::vector<std::string> wanted{"gradient of 2", "bucket 2",      "gradient of 1",
                                        "bucket 1",      "gradient of 0", "bucket 0"};
  EXPECT_EQ(events, wanted);
  buckets.finish();
  EXPECT_EQ(events, wanted) << "each once";
  for (size_t i = 0; i < parameters.size(); ++i) EXPECT_TRUE(seen[i].equal(parameters[i].grad())) << i;
}

TEST(BucketHooks, WaitForAllThatLiesInThem) {
  const auto parameters = make_parameters();
  const BucketPlan plan(parameters, {{0, 40}, {40, kNormChunk}});  // the last parameter lies in both
  std::vector<size_t> done;
  BucketHooks buckets(parameters, plan, [&](size_t bucket) {
    done.push_back(bucket);
    EXPECT_EQ(parameters[0].grad().defined(), bucket == 0);
  });
  loss_of(parameters).backward();
  EXPECT_EQ(done, (std::vector<size_t>{1, 0}));
}

TEST(BucketHooks, FinishThoseThatThePassDoesNotReach) {
  const auto parameters = make_parameters();
  const BucketPlan plan(parameters, kOneEach);
  std::vector<size_t> done;
  BucketHooks buckets(parameters, plan, [&](size_t bucket) { done.push_back(bucket); });
  (parameters[0] * parameters[2]).sum().backward();
  EXPECT_EQ(done.size(), 2U);
  buckets.finish();
  ASSERT_EQ(done.size(), 3U);
  EXPECT_EQ(done[2], 1U);
}

TEST(BucketHooks, AnErrorEndsThePassAndKeepsItsType) {
  const auto parameters = make_parameters();
  const BucketPlan plan(parameters, kOneEach);
  {
    BucketHooks buckets(parameters, plan, [](size_t) { throw std::out_of_range("rank 1 does not answer"); });
    EXPECT_THROW(loss_of(parameters).backward(), std::out_of_range);
  }
  for (const Tensor& parameter : parameters) {
    EXPECT_EQ(torch::autograd::impl::post_acc_grad_hooks(parameter), nullptr) << "it would call what is gone";
  }
  EXPECT_NO_THROW(loss_of(parameters).backward());
}

}  // namespace
}  // namespace heed::training
