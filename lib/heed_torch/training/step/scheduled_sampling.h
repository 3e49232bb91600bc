// Runs a decoder with scheduled sampling (sampling_schedule.h): position by position, each with the target's word or
// one that the decoder has just predicted.
#pragma once

#include "heed_torch/models/model.h"
#include "heed_torch/training/step/sampling_schedule.h"

namespace heed::training {

using at::Tensor;

struct SampledReading {
  double teacher_forcing = 1;  ///< probability of the target's word; 1: no word is sampled
  OwnWord word = OwnWord::Sampled;
};

/// Runs the decoder of `model` over a target; the hidden states are float [S, target, d]. target: int64 [S, target],
/// each row: bos, ids, padding (0); bos is always read. memory: null for a language model. The choice of a word has no
/// gradient. Draws random numbers from the open nn::RandomScope.
models::Decoded read_sampling(models::Model& model, const Tensor& target, const models::Memory* memory,
                              const SampledReading& reading);

}  // namespace heed::training
