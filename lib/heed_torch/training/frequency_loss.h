// What a model must beat to have learned something: the loss of one that knows only how frequent each token is.
#pragma once

#include <optional>

#include "heed/data/encoded/encoded_corpus.h"

namespace heed::training {

/// The entropy of the target tokens (text, end-of-sentence counted) or labels: minus the sum over them of p log p,
/// natural logarithm, p a token's share. No model that predicts each token by its frequency alone has a lower loss on
/// this text. Absent where the targets are numbers, where all tokens are the same one, and where too few tokens tell
/// too little of their frequencies: fewer than 100, or fewer than two for each different one.
std::optional<double> frequency_loss(const data::EncodedCorpus& corpus);

/// Whether a validation loss is more than nine tenths of that: the model has learned little from the source and the
/// tokens before.
bool has_learned_little(double loss, double frequency_loss);

}  // namespace heed::training
