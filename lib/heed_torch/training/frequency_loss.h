// The loss of a model that knows only how frequent each token is. A trained model must have a lower loss.
#pragma once

#include <optional>

#include "heed/data/encoded/encoded_corpus.h"

namespace heed::training {

/// The entropy of the target tokens (text, end-of-sentence counted) or labels: minus the sum over them of p log p,
/// natural logarithm, p a token's share. No model that predicts each token only by its frequency has a lower loss on
/// this text. Absent for numbers, if all tokens are equal, and if there are too few tokens to estimate frequencies:
/// fewer than 100, or fewer than two per distinct token.
std::optional<double> frequency_loss(const data::EncodedCorpus& corpus);

/// Whether a validation loss is above nine tenths of `frequency_loss`: the model has learned little from the source and
/// the previous tokens.
bool has_learned_little(double loss, double frequency_loss);

}  // namespace heed::training
