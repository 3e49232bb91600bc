// The losses of heads that are not a cross-entropy of single labels.
#pragma once

#include "heed/data/corpus/batch.h"
#include "heed_torch/models/model.h"
#include "heed_torch/nn/losses/cross_entropy.h"

namespace heed::training {

using at::Tensor;

/// The loss of standardized numbers, summed over all of them; nll is the same without weights. outputs, targets: float
/// [S, numbers]; targets are not standardized yet. weights: float [S]; undefined: 1.
nn::LossSum number_loss(const models::NumberHead& head, const Tensor& outputs, const Tensor& targets,
                        const Tensor& weights = {});

/// The loss of word labels scored by a conditional random field, summed over the sentences times their weights; nll is
/// the same without weights. hidden: float [S, source, d].
nn::LossSum crf_loss(models::Model& model, const Tensor& hidden, const data::Batch& batch);

}  // namespace heed::training
