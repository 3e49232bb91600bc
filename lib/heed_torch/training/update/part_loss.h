// The loss of a part of an update, and the replicas of a model that compute parts at the same time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <c10/core/Device.h>

#include "heed/data/corpus/batch.h"
#include "heed_torch/models/model.h"
#include "heed_torch/nn/losses/cross_entropy.h"
#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/update/carried_states.h"
#include "heed_torch/training/update/sampling_schedule.h"
#include "heed_torch/training/update/update_computer.h"

namespace heed::training {

struct LossOptions {
  double label_smoothing = 0;           ///< see heed_torch/nn/losses/cross_entropy.h
  double r_drop = 0;                    ///< weight alpha of R-Drop's divergence; 0: each sentence is read once
  OwnWord own_word = OwnWord::Sampled;  ///< of scheduled sampling
};

/// The sum of the loss over the target tokens of `batch`: model and batch meet here. Padding never reaches the output
/// layer: only the hidden states of real positions do. Draws dropout from the open nn::RandomScope when training.
/// R-Drop is for training: an evaluating model reads once.
/// carried: what a window of continuous text goes on from and leaves for the next window; needed for such windows only.
/// teacher_forcing: of scheduled sampling, the share of the target's words that a decoder reads, which must be a
/// recurrent one where it is below 1; an evaluating model reads the target's.
nn::LossSum part_loss(models::Model& model, const data::Batch& batch, c10::Device device,
                      const LossOptions& options = {}, CarriedStates* carried = nullptr, double teacher_forcing = 1);

/// The parameters that have gradients, in order of registration.
NamedParameters trainable_parameters(const torch::nn::Module& module);

/// What computes parts: the model itself, or (count > 1) that many copies which share its parameters' storage.
/// carried: see part_loss; must outlive the replicas.
std::vector<Replica> make_replicas(const std::shared_ptr<models::Model>& model, int64_t count, c10::Device device,
                                   const LossOptions& options = {}, CarriedStates* carried = nullptr);

}  // namespace heed::training
