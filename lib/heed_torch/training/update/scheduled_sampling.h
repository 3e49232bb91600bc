// The reading of scheduled sampling (sampling_schedule.h): one position after the other, each with the target's word or
// one that the decoder has just predicted.
#pragma once

#include "heed_torch/models/model.h"
#include "heed_torch/training/update/sampling_schedule.h"

namespace heed::training {

using at::Tensor;

struct SampledReading {
  double teacher_forcing = 1;  ///< probability of the target's word; 1: no word is drawn
  OwnWord word = OwnWord::Sampled;
};

/// What the decoder of `model` makes of a target, float [S, target, d]. target: int64 [S, target], each row: bos, ids,
/// padding (0); bos is always read. memory: null for a language model. No gradient goes through the choice of a word.
/// Draws from the open nn::RandomScope.
models::Decoded read_sampling(models::Model& model, const Tensor& target, const models::Memory* memory,
                              const SampledReading& reading);

}  // namespace heed::training
