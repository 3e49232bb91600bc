// Computes the gradient of a training step. The loss is the sum over the step's micro-batches
// divided by its target tokens. One replica of one rank computes the gradient of a micro-batch; all gradients are added
// along a fixed tree (reduction_tree.h). So the result is bit-identical for any number of replicas and ranks, if each
// replica has the same number of threads.
//
// Ranks exchange a bucket of the gradient as soon as the backward passes of their micro-batches have completed it. The
// passes continue meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include "heed/data/corpus/micro_batch.h"
#include "heed_torch/nn/losses/cross_entropy.h"
#include "heed_torch/training/step/gradient/bucket_hooks.h"
#include "heed_torch/training/step/gradient/gradient_buffer.h"
#include "heed_torch/training/step/gradient/gradient_reducer.h"
#include "heed_torch/training/step/gradient/gradient_sum.h"
#include "heed_torch/training/step/precision.h"
#include "heed_torch/training/step/replica_threads.h"

namespace heed::training {

/// What changes from one step to the next.
struct StepInputs {
  uint64_t number;             ///< of the step, from 1; with the micro-batch's number it selects the random numbers
  double loss_scale = 1;       ///< see LossScaler
  double teacher_forcing = 1;  ///< see sampling_schedule.h
  bool r_drop = true;          ///< whether R-Drop has begun, if the options have it
};

/// A copy of the model that can compute the loss of a micro-batch.
struct Replica {
  std::vector<Tensor> parameters;  ///< trainable ones, in the same order in every replica
  /// The loss of a micro-batch, differentiable.
  std::function<nn::LossSum(const data::MicroBatch&, const StepInputs&)> loss;
};

struct ComputingOptions {
  uint64_t seed = 0;  ///< of dropout and all other random numbers
  c10::Device device{c10::kCPU};
  Precision precision = Precision::Fp32;
  double clip_norm = 0;  ///< 0: no clipping
  int64_t threads = 1;   ///< shared among the replicas
  distributed::GradientFormat gradients = distributed::GradientFormat::Fp32;
  GradientOf wanted = GradientOf::All;  ///< on several ranks
};

struct StepResult {
  double loss = 0;           ///< per target token
  double nll = 0;            ///< per target token, without label smoothing
  double gradient_norm = 0;  ///< before clipping
  bool finite = true;        ///< whether loss and gradient are finite; if not, the step must be skipped
  std::vector<size_t> bad_micro_batches = {};  ///< the micro-batches whose loss is not finite
  double forward_seconds =
      0;  ///< wall-clock time, divided in proportion to the micro-batches' passes (micro_batch_timer.h)
  double backward_seconds = 0;
  double exchange_seconds = 0;  ///< time spent waiting for other ranks
};

class GradientComputer {
 public:
  /// `parameters` are those that the optimizer changes. A single replica computes with these tensors themselves;
  /// several replicas have tensors that share the storage of `parameters`. Each of the `ranks` computes its share of
  /// the micro-batches. It gets the gradient of all parameters, or of those that it owns.
  GradientComputer(const std::vector<Tensor>& parameters, std::vector<Replica> replicas,
                   const ComputingOptions& options,
                   std::shared_ptr<distributed::RankGroup> ranks = distributed::one_rank());

  /// Leaves the gradient of the step (unscaled, clipped) in `parameters`.
  StepResult compute(const data::StepBatch& step, const StepInputs& terms);

  int64_t replicas() const { return threads_.size(); }
  int64_t bytes_sent() const { return exchange_.bytes_sent(); }  ///< to other ranks, only gradients

 private:
  struct Run;
  void compute_micro_batches(Run& run, int64_t replica);
  void compute_micro_batch(Run& run, int64_t replica, size_t index);
  void bucket_done(Run& run, const NodeSum& gradient, size_t bucket);
  void exchange(Run& run, size_t bucket);
  void finish_sum(Run& run);
  void keep_order(const std::vector<size_t>& completed);
  /// What the host needs to know of a step that was computed.
  struct Sums {
    double gradient_norm = 0;
    std::vector<double> loss = {}, nll = {};  // of each micro-batch
  };
  /// The only place of a step where the host waits for the device.
  Sums read_sums(const Run& run);
  Tensor total_norm();
  void finish_gradient(StepResult& computed, double loss_scale);

  void collect_losses(Sums& sums);

  std::vector<Tensor> parameters_;
  std::vector<Replica> replicas_;
  ComputingOptions options_;
  std::shared_ptr<distributed::RankGroup> ranks_;
  BucketPlan plan_;
  std::vector<size_t> order_;  // in which buckets go to other ranks
  bool order_known_;
  GradientPool pool_;
  std::shared_ptr<GradientBuffer> total_;  // the gradient of the latest step
  std::vector<FlatRange> wanted_;          // the ranges of it that this rank needs
  GradientReducer exchange_;
  ReplicaThreads threads_;
};

}  // namespace heed::training
