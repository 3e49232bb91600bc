// Computes the gradient of an update. The loss is the sum over its parts divided by its target tokens; each part's
// gradient is computed by one replica of one rank and all are added along a fixed tree (part_tree.h), so that the
// result does not depend on how many replicas and ranks there are, to the last bit (where each replica has the same
// number of threads). Ranks exchange a bucket of the gradient as soon as the backward passes of their parts are done
// with it, while these go on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include "heed/data/corpus/batch.h"
#include "heed_torch/nn/losses/cross_entropy.h"
#include "heed_torch/training/update/gradient/backward_buckets.h"
#include "heed_torch/training/update/gradient/gradient_buffer.h"
#include "heed_torch/training/update/gradient/gradient_exchange.h"
#include "heed_torch/training/update/gradient/gradient_sum.h"
#include "heed_torch/training/update/precision.h"
#include "heed_torch/training/update/replica_threads.h"

namespace heed::training {

/// Something that can compute the loss of a part.
struct Replica {
  std::vector<Tensor> parameters;  ///< trainable ones, in the same order in every replica
  /// Of a part, differentiable. teacher_forcing: see UpdateTerms.
  std::function<nn::LossSum(const data::Batch&, double teacher_forcing)> loss;
};

/// What changes from one update to the next.
struct UpdateTerms {
  uint64_t number;             ///< counts the updates from 1 and names, with the part, what is drawn
  double loss_scale = 1;       ///< see LossScaler
  double teacher_forcing = 1;  ///< see sampling_schedule.h
};

struct ComputingOptions {
  uint64_t seed = 0;  ///< of dropout and everything else drawn
  c10::Device device{c10::kCPU};
  Precision precision = Precision::Fp32;
  double clip_norm = 0;  ///< 0: never clip
  int64_t threads = 1;   ///< shared among the replicas
  distributed::GradientForm gradients = distributed::GradientForm::Fp32;
  GradientOf wanted = GradientOf::All;  ///< on several ranks
};

struct ComputedUpdate {
  double loss = 0;                     ///< per target token
  double nll = 0;                      ///< per target token, without label smoothing
  double gradient_norm = 0;            ///< before clipping
  bool finite = true;                  ///< loss and gradient; if not, the update must not be made
  std::vector<size_t> bad_parts = {};  ///< those whose loss is not finite
  double forward_seconds = 0;          ///< of the wall clock, shared out by what the parts took (part_clock.h)
  double backward_seconds = 0;
  double exchange_seconds = 0;  ///< waited for other ranks
};

class UpdateComputer {
 public:
  /// `parameters` are those that the optimizer changes. A single replica computes with these very tensors; several have
  /// tensors of their own that share the storage of `parameters`. Each of the `ranks` computes its share of the parts,
  /// and has the gradient of all, or what it owns of it.
  UpdateComputer(const std::vector<Tensor>& parameters, std::vector<Replica> replicas, const ComputingOptions& options,
                 std::shared_ptr<distributed::RankGroup> ranks = distributed::one_rank());

  /// Leaves the gradient of the update (unscaled, clipped) in `parameters`.
  ComputedUpdate compute(const data::Update& update, const UpdateTerms& terms);

  int64_t replicas() const { return threads_.size(); }
  int64_t bytes_sent() const { return exchange_.bytes_sent(); }  ///< to other ranks, gradients alone

 private:
  struct Run;
  void compute_parts(Run& run, int64_t replica);
  void compute_part(Run& run, int64_t replica, size_t part);
  void part_done(Run& run, const NodeSum& gradient, size_t bucket);
  void exchange(Run& run, size_t bucket);
  void finish_sum(Run& run);
  void keep_order(const std::vector<size_t>& completed);
  /// What the host must know of an update that was computed.
  struct Sums {
    double gradient_norm = 0;
    std::vector<double> loss = {}, nll = {};  // of each part
  };
  /// The one place of an update where the host waits for the device.
  Sums read_sums(const Run& run);
  Tensor total_norm();
  void finish_gradient(ComputedUpdate& computed, double loss_scale);

  void collect_losses(Sums& sums);

  std::vector<Tensor> parameters_;
  std::vector<Replica> replicas_;
  ComputingOptions options_;
  std::shared_ptr<distributed::RankGroup> ranks_;
  BucketPlan plan_;
  std::vector<size_t> order_;  // in which buckets go to other ranks
  bool order_known_;
  GradientPool pool_;
  std::shared_ptr<GradientBuffer> total_;  // the gradient of the latest update
  std::vector<FlatRange> wanted_;          // of it, by this rank
  GradientExchange exchange_;
  ReplicaThreads threads_;
};

}  // namespace heed::training
