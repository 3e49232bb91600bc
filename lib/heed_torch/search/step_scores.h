// The scores of one step of a search as tensors: of one model, an ensemble, or a model with a language model.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include <ATen/core/Tensor.h>

namespace heed::search {

using at::Tensor;

/// The scores of every next token: log p(token) = logits - logsumexp. On the model's device.
struct StepScores {
  Tensor logits;     ///< float [S, beam, V]; search may write into it
  Tensor logsumexp;  ///< float [S, beam, 1]
  Tensor attention;  ///< float [S, beam, source] if requested and the model has any, else undefined
};

/// log sum exp over the last dimension, which is kept with size 1. logits: float [..., V] -> [..., 1]. Does not create
/// a normalized tensor.
Tensor logsumexp(const Tensor& logits);

/// The scores of an ensemble: each token's probability is the mean of the probabilities from its M members (Sutskever
/// et al. 2014, https://arxiv.org/abs/1409.3215, section 3.6):
///   p(token) = sum_m w_m p_m(token)
/// weights: one per member, above 0; they are divided by their sum. step: takes the member's step. The logits of the
/// result are log-probabilities, so logsumexp is 0. Attention is the mean over the members that have attention with as
/// many positions as the first of them; the number of vectors can differ.
StepScores ensemble_scores(std::span<const double> weights, const std::function<StepScores(size_t member)>& step);

/// Shallow fusion of a translation model with a language model of the target language (Gulcehre et al. 2015,
/// https://arxiv.org/abs/1503.03535, section 4.1):
///   score(token) = log p_translation(token) + weight * log p_language(token)
/// The sum is not normalized; logsumexp is 0. The attention is the translation model's.
StepScores fused_scores(StepScores translation, const StepScores& language, double weight);

}  // namespace heed::search
