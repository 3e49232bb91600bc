// The attention function of a recurrent decoder: how the scores of the source positions become weights.
//   soft       softmax
//   sparsemax  the closest distribution, which has exact zeros (Martins and Astudillo 2016,
//              https://arxiv.org/abs/1602.02068)
//   hard       one position, sampled from the softmax in training (Xu et al. 2015, https://arxiv.org/abs/1502.03044,
//              section 4.1). Sampling has no derivative; its gradient is REINFORCE's, see
//              heed_torch/nn/losses/reinforce_loss.h
//   gumbel     one position, also sampled in training; the straight-through gradient is that of the weights
//              softmax((log p + noise) / temperature) (Jang et al. 2017, https://arxiv.org/abs/1611.01144)
// Outside of training, hard and gumbel use the position with the highest score.
#pragma once

#include <ATen/core/Tensor.h>

#include "heed/architecture/attention_function.h"

namespace heed::nn {

using at::Tensor;

struct AttendedPositions {
  Tensor weights;               ///< float [..., source]; all 0 if no position is allowed
  Tensor log_probability = {};  ///< float [...], of the position that hard attention sampled; 0 where the softmax
                                ///< replaced the sample; undefined for other functions
  Tensor entropy = {};          ///< float [...], entropy of the distribution that was sampled from; undefined for other
                                ///< functions
};

/// scores: float [..., source]; allowed: bool, broadcasts to the scores, true = may get a weight. training: hard and
/// gumbel sample. They take one draw of the open RandomScope; hard takes two if a share of the samples is replaced.
AttendedPositions attend_by(const AttentionFunction& options, const Tensor& scores, const Tensor& allowed,
                            bool training);

/// The point of the simplex that is closest to the scores. scores: float [..., n]; allowed: bool, broadcasts to the
/// scores. Positions that are not allowed get 0; without any allowed position all get 0.
Tensor sparsemax(const Tensor& scores, const Tensor& allowed);

}  // namespace heed::nn
