// REINFORCE: the gradient of sampled choices by the score function (Williams 1992, https://doi.org/10.1007/BF00992696;
// for attention Xu et al. 2015, https://arxiv.org/abs/1502.03044, section 4.1). With a_t the position sampled for
// target position t, c_t the loss of target token t, and R_t the sum of those losses that the choice answers for,
//   grad E[sum c] = E[ sum_t grad c_t + sum_t (R_t - b_t) grad log p(a_t) ]
// for any baseline b_t that does not depend on the choice. Here b_t = n_t beta(s_t), where R_t has n_t tokens and beta
// is a linear map of the state that asked, itself trained to predict R_t / n_t (Mnih and Gregor 2014,
// https://arxiv.org/abs/1402.0030): the mean loss of a token stays of one size from the first to the last position.
#pragma once

#include <ATen/core/Tensor.h>

#include "heed/architecture/choice_options.h"

namespace heed::nn {

using at::Tensor;

/// What sampled choices leave for their gradient. Members are undefined where nothing was sampled.
struct SampledChoices {
  Tensor log_probability;  ///< float [S, target], differentiable
  Tensor entropy;          ///< float [S, target], differentiable
  Tensor baseline;         ///< float [S, target]: beta, differentiable in its own parameters only
  HardChoice options;

  bool any() const { return log_probability.defined(); }
};

/// A scalar of value 0 to be added to the sum of the losses: its gradient is that of the choices (minus the entropy's,
/// weighted) and of the baseline's own loss. losses: float [S, target], 0 at padding, no gradient; real: bool
/// [S, target].
Tensor reinforce_loss(const SampledChoices& choices, const Tensor& losses, const Tensor& real);

}  // namespace heed::nn
