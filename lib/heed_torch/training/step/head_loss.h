// The losses of heads that are not a cross-entropy of single labels.
#pragma once

#include "heed/data/corpus/micro_batch.h"
#include "heed_torch/models/model.h"
#include "heed_torch/nn/losses/cross_entropy.h"

namespace heed::training {

using at::Tensor;

/// The loss of standardized numbers, summed over all of them; nll is the same without weights. outputs, targets: float
/// [S, numbers]; targets are not standardized yet. weights: float [S]; undefined: 1.
nn::LossSum number_loss(const models::NumberHead& head, const Tensor& outputs, const Tensor& targets,
                        const Tensor& weights = {});

/// The labels of each sentence without the tokens that have no label.
struct LabelledWords {
  Tensor places;  ///< int64 [S, words], columns of the hidden states; 0 for padding
  Tensor labels;  ///< int64 [S, words]; 0 for padding
  Tensor real;    ///< bool [S, words]
};
/// On the host.
LabelledWords labelled_words(const data::LabelTargets& targets);

/// The loss of word labels scored by a conditional random field, summed over the sentences times their weights; nll is
/// the same without weights. hidden: float [S, source, d]. weights: float [S]; undefined: 1.
nn::LossSum crf_loss(models::Model& model, const Tensor& hidden, const LabelledWords& words,
                     const Tensor& weights = {});

}  // namespace heed::training
