#include "heed/nn/dropout.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "heed/nn/random_scope.h"

namespace heed::nn {
namespace {

TEST(Dropout, SameKeyGivesTheSameMask) {
  const Tensor x = torch::ones({3, 50});
  const RandomScope outer(1, 2, 3);
  const Tensor first = nn::dropout(x, 0.5, true);
  const RandomScope again(1, 2, 3);
  EXPECT_TRUE(nn::dropout(x, 0.5, true).equal(first));
  EXPECT_FALSE(nn::dropout(x, 0.5, true).equal(first));
}

}  // namespace
}  // namespace heed::nn
