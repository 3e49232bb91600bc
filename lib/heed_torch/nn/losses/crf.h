// A linear-chain conditional random field over the labels of a sentence (Lafferty et al. 2001; on recurrent networks
// Huang et al. 2015, https://arxiv.org/abs/1508.01991). With z_t the scores of the labels of word t,
//   s(y) = b_{y_1} + sum_t z_t[y_t] + sum_{t > 1} A[y_{t-1}, y_t] + e_{y_n},     p(y) = exp s(y) / sum_y' exp s(y')
// A, b and e are learned. The forward algorithm computes the sum over all labelings, Viterbi's algorithm the best
// labeling, both in O(words * labels^2).
#pragma once

#include <cstdint>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed_torch/nn/initialization.h"

namespace heed::nn {

class CrfImpl : public torch::nn::Module, public Initialized {
 public:
  explicit CrfImpl(int64_t labels);

  /// -log p of each sentence's labels, float [S]; differentiable. scores: z, float [S, words, labels]; labels: int64
  /// [S, words], any value at padding; real: bool [S, words], true for the leading words of each sentence, at least
  /// one.
  Tensor loss(const Tensor& scores, const Tensor& labels, const Tensor& real);
  /// The most probable labels, int64 [S, words], 0 where padded.
  Tensor best(const Tensor& scores, const Tensor& real);
  /// The marginal probability of each label of each word: float [S, words, labels].
  Tensor marginals(const Tensor& scores, const Tensor& real);
  void initialize(Initializer& values) override;

  Tensor transitions;  ///< A [labels, labels]
  Tensor begin, end;   ///< b, e [labels]
};
TORCH_MODULE(Crf);

}  // namespace heed::nn
