// Tells, while a backward pass goes on, which buckets of the gradient it is done with.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed_torch/training/update/gradient/flat_layout.h"

namespace heed::training {

/// The gradient of some parameters in buckets, and what lies where.
struct BucketPlan {
  BucketPlan(const std::vector<Tensor>& parameters, std::vector<FlatRange> buckets);

  std::vector<FlatRange> buckets;
  std::vector<std::vector<size_t>> of_parameter;  ///< the buckets in which each parameter lies
  std::vector<size_t> parameters_in;              ///< how many lie in each bucket
};

/// From its construction to finish(), of one backward pass. Parameters have a hook meanwhile, which LibTorch calls when
/// the gradient was added to what they hold.
class BackwardBuckets {
 public:
  /// Of parameters laid out as in `plan`. Calls done(bucket) once for each bucket, on the thread that computes the
  /// pass; what it throws ends the pass.
  BackwardBuckets(const std::vector<Tensor>& parameters, const BucketPlan& plan, std::function<void(size_t)> done);
  ~BackwardBuckets();
  BackwardBuckets(const BackwardBuckets&) = delete;
  BackwardBuckets& operator=(const BackwardBuckets&) = delete;

  /// The pass has ended: those are done too of which some parameter had no part in the loss.
  void finish();

 private:
  void parameter_done(size_t parameter);

  const std::vector<Tensor>& parameters_;
  const BucketPlan& plan_;
  std::function<void(size_t)> done_;
  std::vector<size_t> missing_;  // parameters of each bucket
};

}  // namespace heed::training
