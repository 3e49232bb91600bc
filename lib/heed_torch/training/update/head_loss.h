// The losses of heads that are not a cross-entropy of single labels.
#pragma once

#include "heed/data/corpus/batch.h"
#include "heed_torch/models/model.h"
#include "heed_torch/nn/losses/cross_entropy.h"

namespace heed::training {

using at::Tensor;

/// Summed over all numbers, standardized; nll is the same without weights. outputs, targets: float [S, numbers];
/// targets as they are. weights: float [S]; undefined: 1.
nn::LossSum number_loss(const models::NumberHead& head, const Tensor& outputs, const Tensor& targets,
                        const Tensor& weights = {});

/// Of word labels that a conditional random field scores, summed over the sentences, each times its weight; nll is the
/// same without weights. hidden: float [S, source, d].
nn::LossSum crf_loss(models::Model& model, const Tensor& hidden, const data::Batch& batch);

}  // namespace heed::training
