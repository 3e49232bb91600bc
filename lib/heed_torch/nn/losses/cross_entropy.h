// Label-smoothed cross-entropy of the output layer. It is computed in chunks of rows, so that no tensor [positions,
// vocabulary] is ever in memory. With z = hidden W^T + b, V the size of the vocabulary and y the target,
//   nll_i  = -log softmax(z_i)[y_i]
//   loss_i = (1 - s) nll_i + s / V * sum_v -log softmax(z_i)[v]
// (Szegedy et al. 2016, section 7, https://arxiv.org/abs/1512.00567). This is PyTorch's definition of label smoothing
// s: the smoothed mass includes the target's own share.
#pragma once

#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// Sums over the positions, with natural logarithms. All but `rows` are scalars. They are on the device of `hidden`,
/// and float64 if `hidden` is, else float32.
struct LossSum {
  Tensor loss;  ///< the training loss, including the weights; differentiable
  Tensor rows;  ///< the loss of each position, including the weights, [N]; not differentiable
  Tensor nll;   ///< negative log-likelihood of the targets; not differentiable; perplexity = exp(nll / positions)
};

/// hidden: float [N, d], real positions only. weight: float [V, d]. bias: float [V], or undefined for no bias. targets:
/// int64 [N] in [0, V). label_smoothing: in [0, 1), 0 = off. weights: the weight of each position's loss, float [N];
/// undefined: 1.
/// If gradients of hidden, weight or bias are needed, they are computed here, chunk by chunk, and the backward pass
/// only scales them. So the logits are computed once and never kept. Second derivatives are not supported.
/// Under autocast, matrix multiplications use its dtype. Statistics and the sum of the weight's gradients over chunks
/// are float32. The gradient of the logits is rounded to that dtype. For fp16, which has no number below 3e-8, it is
/// first scaled by the open GradientScale (gradient_scale.h).
LossSum smoothed_cross_entropy(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const Tensor& targets,
                               double label_smoothing, const Tensor& weights = {});

/// R-Drop (Liang et al. 2021, https://arxiv.org/abs/2106.14448): the model reads each sentence twice with different
/// dropout masks. The loss makes the two distributions p and q of a position similar:
///   loss_i = (l(p_i) + l(q_i)) / 2 + alpha / 4 (KL(p_i || q_i) + KL(q_i || p_i)),
/// where l is the loss of smoothed_cross_entropy. This is half of the paper's loss, so that alpha 0 gives the mean of
/// two passes.
/// hidden: float [2 N, d], the positions of the first pass, then those of the second; targets: int64 [N]. rows: [2 N],
/// which sum to the loss; nll: the mean of both passes. Otherwise as above.
LossSum r_drop_cross_entropy(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const Tensor& targets,
                             double label_smoothing, double alpha, const Tensor& weights = {});

/// The output of a teacher's network, which computes its logits by the matrix multiplication of its own output layer.
struct TeacherOutput {
  Tensor hidden;     ///< float [N, d of the teacher]
  Tensor weight;     ///< float [V, d of the teacher]
  Tensor bias = {};  ///< float [V], or undefined
};

/// Word-level knowledge distillation (Hinton et al. 2015, https://arxiv.org/abs/1503.02531; Kim and Rush 2016,
/// https://arxiv.org/abs/1606.07947, section 3.1): a part of the loss compares the model's distribution with the mean q
/// of K teachers' distributions, both at temperature T,
///   loss_i = (1 - w) l_i + w T^2 KL(q_i || softmax(z_i / T)),    q_i = 1/K sum_k softmax(z_i^k / T),
/// where l is the loss without teachers. The factor T^2 keeps the size of the gradient at every temperature.
struct Distillation {
  std::vector<TeacherOutput> teachers = {};  ///< empty: no distillation
  double weight = 0.5;                       ///< w, in [0, 1]
  double temperature = 1;                    ///< T, above 0
};

/// What a loss consists of.
struct LossTerms {
  double label_smoothing = 0;
  std::optional<double> r_drop = std::nullopt;  ///< alpha; both passes of R-Drop learn from the same teachers
  Tensor weights = {};
  Distillation distillation = {};
};
/// smoothed_cross_entropy or r_drop_cross_entropy, with teachers.
LossSum cross_entropy(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const Tensor& targets,
                      const LossTerms& terms);

}  // namespace heed::nn
