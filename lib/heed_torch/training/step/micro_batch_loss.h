// The loss of a micro-batch of a step, and the replicas of a model that compute micro-batches at the same
// time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <c10/core/Device.h>

#include "heed/data/corpus/micro_batch.h"
#include "heed_torch/models/model.h"
#include "heed_torch/nn/losses/cross_entropy.h"
#include "heed_torch/nn/random/cutoff.h"
#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/step/gradient_computer.h"
#include "heed_torch/training/step/minimum_risk.h"
#include "heed_torch/training/step/recurrent_states.h"
#include "heed_torch/training/step/sampling_schedule.h"

namespace heed::training {

/// The models whose distributions a model learns from (nn::Distillation), in evaluation mode. Replicas share them.
struct Teachers {
  std::vector<std::shared_ptr<models::Model>> models = {};  ///< empty: no distillation
  double weight = 0.5;
  double temperature = 1;
};

struct LossOptions {
  double label_smoothing = 0;           ///< see heed_torch/nn/losses/cross_entropy.h
  double r_drop = 0;                    ///< weight alpha of R-Drop's divergence; 0: a sentence is read once
  nn::CutoffOptions cutoff = {};        ///< of R-Drop's second pass
  OwnWord own_word = OwnWord::Sampled;  ///< of scheduled sampling
  Teachers teachers = {};               ///< only for targets of tokens; only in training
  std::shared_ptr<const MinimumRisk> risk = nullptr;  ///< likewise, of sources with a translation; null: off
  double guided_alignment = 0;  ///< weight of nn::guided_alignment_loss, if a micro-batch has links; only in training
};

/// The sum of the loss over the target tokens of `batch`, which must outlive the backward pass. The output layer sees
/// only the hidden states of real positions, never padding. Draws dropout from the open nn::RandomScope in training.
/// R-Drop is for training: a model in evaluation mode reads each sentence once. carried: the states that a window of
/// continuous text starts from and leaves; needed only for such windows. teacher_forcing: of scheduled sampling, the
/// share of the target's words that the decoder reads. Below 1 the decoder must be recurrent. A model in evaluation
/// mode reads only the target's words.
nn::LossSum part_loss(models::Model& model, const data::MicroBatch& batch, c10::Device device,
                      const LossOptions& options = {}, RecurrentStates* carried = nullptr, double teacher_forcing = 1);

/// The parameters that have gradients, in order of registration.
NamedParameters trainable_parameters(const torch::nn::Module& module);

/// The replicas that compute micro-batches: the model itself, or (count > 1) `count` copies that share its parameters'
/// storage. R-Drop is off in steps whose StepInputs say so. carried: see part_loss; must outlive the replicas.
std::vector<Replica> make_replicas(const std::shared_ptr<models::Model>& model, int64_t count, c10::Device device,
                                   const LossOptions& options = {}, RecurrentStates* carried = nullptr);

}  // namespace heed::training
