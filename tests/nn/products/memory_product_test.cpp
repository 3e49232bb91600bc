#include "heed_torch/nn/products/memory_product.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "nn/values.h"

namespace heed::nn {
namespace {

/// Of doubles, that wants a gradient.
Tensor variable(at::IntArrayRef sizes, int64_t seed) { return random(sizes, seed).to(at::kDouble).requires_grad_(); }

/// Products of three steps of which each depends on the one before, in the memory and in its transpose, and all
/// gradients.
template <class Products>
std::vector<Tensor> three_steps(const Tensor& query, const Tensor& memory, const Products& begin) {
  const auto scores = begin(memory.transpose(1, 2));
  const auto contexts = begin(memory);
  std::vector<Tensor> all;
  Tensor asked = query, loss = at::zeros({}, query.options());
  for (int64_t step = 0; step < 3; ++step) {
    asked = asked + contexts(scores(asked).softmax(-1));
    loss = loss + asked.square().sum();
    all.push_back(asked.detach());
  }
  for (const Tensor& gradient : torch::autograd::grad({loss}, {query, memory})) all.push_back(gradient);
  return all;
}

const auto kOurs = [](const Tensor& memory) { return MemoryProduct(memory); };
const auto kPlain = [](const Tensor& memory) { return [memory](const Tensor& x) { return at::bmm(x, memory); }; };

TEST(MemoryProduct, IsTheProductAndSumsTheSameGradients) {
  const Tensor query = variable({3, 2, 4}, 1), memory = variable({3, 5, 4}, 2);
  const auto found = three_steps(query, memory, kOurs), expected = three_steps(query, memory, kPlain);
  ASSERT_EQ(found.size(), 5);
  for (size_t i = 0; i < found.size(); ++i) EXPECT_LT(largest_difference(found[i], expected[i]), 1e-12) << i;
}

TEST(MemoryProduct, HasTheGradientsOfFiniteDifferences) {
  const Tensor query = variable({2, 1, 3}, 1), memory = variable({2, 4, 3}, 2);
  expect_gradients_of_finite_differences({query, memory}, [&] {
    const MemoryProduct scores(memory.transpose(1, 2)), contexts(memory);
    Tensor asked = query;
    for (int step = 0; step < 3; ++step) asked = (asked + contexts(scores(asked).softmax(-1))).tanh();
    return asked.square().sum();
  });
}

// [1 2] [3; 4] = 11 and [10 20] [3; 4] = 110: the memory's gradient is the sum of both inputs.
TEST(MemoryProduct, ByHand) {
  const Tensor memory = at::tensor({3., 4.}).view({1, 2, 1}).requires_grad_();
  const MemoryProduct products(memory);
  const Tensor x = at::tensor({1., 2.}).view({1, 1, 2});
  const Tensor first = products(x), second = products(10 * x);
  EXPECT_EQ(first.item<double>(), 11);
  EXPECT_EQ(second.item<double>(), 110);
  const auto gradient = torch::autograd::grad({first + second}, {memory});
  EXPECT_TRUE(at::equal(gradient[0], at::tensor({11., 22.}).view({1, 2, 1})));
}

TEST(MemoryProduct, GivesTheSameGradientsInASecondBackwardPass) {
  const Tensor x = variable({2, 1, 3}, 1), memory = variable({2, 3, 4}, 2);
  const Tensor sum = MemoryProduct(memory)(x).square().sum();
  const auto grad = [&](const std::vector<Tensor>& inputs) {
    return torch::autograd::grad({sum}, inputs, {}, /*retain_graph=*/true);
  };
  const auto first = grad({x, memory});
  grad({x});  // leaves nothing behind
  const auto again = grad({x, memory});
  for (size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(at::equal(first[i], again[i])) << i;
}

TEST(MemoryProduct, OfAMemoryWithoutGradient) {
  const Tensor x = variable({2, 1, 3}, 1), memory = random({2, 3, 4}, 2).to(at::kDouble);
  const auto gradient = torch::autograd::grad({MemoryProduct(memory)(x).sum()}, {x});
  EXPECT_LT(largest_difference(gradient[0], memory.sum(2).unsqueeze(1)), 1e-12);
}

TEST(MemoryProduct, RefusesAMatrix) { EXPECT_THROW(MemoryProduct(random({3, 4}, 1)), c10::Error); }

}  // namespace
}  // namespace heed::nn
