// REINFORCE: the gradient of sampled positions with the score function (Williams 1992,
// https://doi.org/10.1007/BF00992696; for attention Xu et al. 2015, https://arxiv.org/abs/1502.03044, section 4.1). Let
// a_t be the position sampled for target position t, c_t the loss of target token t, and R_t the sum of the losses
// credited to a_t:
//   grad E[sum c] = E[ sum_t grad c_t + sum_t (R_t - b_t) grad log p(a_t) ]
// for any baseline b_t that does not depend on a_t. Here b_t = n_t beta(s_t), where R_t is a sum over n_t tokens. beta
// is a linear function of the query's state, trained to predict R_t / n_t (Mnih and Gregor 2014,
// https://arxiv.org/abs/1402.0030). The mean loss per token has about the same size at all positions.
#pragma once

#include <ATen/core/Tensor.h>

#include "heed/architecture/attention_function.h"

namespace heed::nn {

using at::Tensor;

/// What REINFORCE needs from the sampled positions. Members are undefined if nothing was sampled.
struct SampledPositions {
  Tensor log_probability;  ///< float [S, target], differentiable
  Tensor entropy;          ///< float [S, target], differentiable
  Tensor baseline;         ///< float [S, target]: beta, differentiable in its own parameters only
  HardAttention options;

  bool any() const { return log_probability.defined(); }
};

/// A scalar of value 0 that is added to the sum of the losses. Its gradient is that of the sampled positions (minus the
/// weighted entropy's) and of the baseline's own loss. losses: float [S, target], 0 at padding, without gradient; real:
/// bool [S, target].
Tensor reinforce_loss(const SampledPositions& samples, const Tensor& losses, const Tensor& real);

}  // namespace heed::nn
