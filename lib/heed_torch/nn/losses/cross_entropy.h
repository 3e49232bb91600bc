// Label-smoothed cross-entropy of the output layer, computed in chunks of rows so that no [positions, vocabulary]
// tensor is ever held. With z = hidden W^T + b, V the vocabulary's size and y the target,
//   nll_i  = -log softmax(z_i)[y_i]
//   loss_i = (1 - s) nll_i + s / V * sum_v -log softmax(z_i)[v]
// (Szegedy et al. 2016, section 7, https://arxiv.org/abs/1512.00567), which is PyTorch's definition of label smoothing
// s: the smoothed mass includes the target's own share.
#pragma once

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// Sums over the positions, natural logarithm; scalars (but `rows`) of the device of `hidden`, float64 for float64 and
/// else float32.
struct LossSum {
  Tensor loss;  ///< what training minimizes, with the weights; differentiable
  Tensor rows;  ///< the loss of each position, likewise, [N]; not differentiable
  Tensor nll;   ///< negative log-likelihood of the targets; not differentiable; perplexity = exp(nll / positions)
};

/// hidden: float [N, d], real positions only. weight: float [V, d]. bias: float [V], or undefined for none.
/// targets: int64 [N] in [0, V). label_smoothing: in [0, 1), 0 = off. weights: what the loss of each position is
/// multiplied by, float [N]; undefined: 1.
/// Where gradients are wanted, those of hidden, weight and bias are computed here, chunk by chunk, and merely scaled in
/// the backward pass: the logits are computed once and never kept. (A gradient of the gradient is not defined.)
/// Under autocast the products are in its dtype, statistics in float32, as is the sum of the chunks' gradients of the
/// weight. The gradient of the logits is rounded to that dtype; in fp16, which has no number below 3e-8, after it was
/// scaled as an open GradientScale says (gradient_scale.h).
LossSum smoothed_cross_entropy(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const Tensor& targets,
                               double label_smoothing, const Tensor& weights = {});

/// R-Drop (Liang et al. 2021, https://arxiv.org/abs/2106.14448): the model reads each sentence twice, with other
/// dropout, and the two distributions p and q of a position shall agree:
///   loss_i = (l(p_i) + l(q_i)) / 2 + alpha / 4 (KL(p_i || q_i) + KL(q_i || p_i)),
/// where l is the loss of smoothed_cross_entropy: half of the paper's, so that alpha 0 is the mean of two passes.
/// hidden: float [2 N, d], the positions of one pass and then those of the other; targets: int64 [N]. rows: [2 N],
/// which add up to the loss; nll: the mean of both passes. All else as above.
LossSum r_drop_cross_entropy(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const Tensor& targets,
                             double label_smoothing, double alpha, const Tensor& weights = {});

}  // namespace heed::nn
