// How a recurrent decoder's attention turns the scores of the source positions into weights.
//   soft       softmax
//   sparsemax  the closest distribution, which has exact zeros (Martins and Astudillo 2016,
//              https://arxiv.org/abs/1602.02068)
//   hard       one position, sampled from the softmax while training (Xu et al. 2015, https://arxiv.org/abs/1502.03044,
//              section 4.1). The choice has no derivative; its gradient is REINFORCE's, see
//              heed_torch/nn/losses/reinforce_loss.h
//   gumbel     one position, sampled likewise; the gradient passes straight through it as if the weights were
//              softmax((log p + noise) / temperature) (Jang et al. 2017, https://arxiv.org/abs/1611.01144)
// hard and gumbel take the position of the highest score when not training.
#pragma once

#include <ATen/core/Tensor.h>

#include "heed/architecture/choice_options.h"

namespace heed::nn {

using at::Tensor;

struct Chosen {
  Tensor weights;               ///< float [..., source]; all 0 where nothing is allowed
  Tensor log_probability = {};  ///< float [...], of the position a hard choice sampled, 0 where the softmax took its
                                ///< place; otherwise undefined
  Tensor entropy = {};          ///< float [...], of the distribution it was sampled from; otherwise undefined
};

/// scores: float [..., source]; allowed: bool, broadcasts to them, true = may be chosen. training: hard and gumbel
/// sample, with one draw of the open RandomScope, two where a share of the choices is replaced.
Chosen choose(const ChoiceOptions& options, const Tensor& scores, const Tensor& allowed, bool training);

/// The point of the simplex that is closest to the scores. scores: float [..., n]; allowed: bool, broadcasts to them;
/// those not allowed get 0, and so do all where none is.
Tensor sparsemax(const Tensor& scores, const Tensor& allowed);

}  // namespace heed::nn
