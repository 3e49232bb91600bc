// Reports during a backward pass which buckets of the gradient are complete.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed_torch/training/step/gradient/flat_layout.h"

namespace heed::training {

/// How a gradient is split into buckets, and which parameters are in which bucket.
struct BucketPlan {
  BucketPlan(const std::vector<Tensor>& parameters, std::vector<FlatRange> buckets);

  std::vector<FlatRange> buckets;
  std::vector<std::vector<size_t>> of_parameter;  ///< the buckets that contain each parameter
  std::vector<size_t> parameters_in;              ///< the number of parameters in each bucket
};

/// Watches one backward pass, from construction to finish(). Each parameter has a hook during that time; LibTorch calls
/// it when the parameter's gradient has been accumulated.
class BucketHooks {
 public:
  /// The parameters must be laid out as in `plan`. Calls done(bucket) once per bucket, on the thread that runs the
  /// backward pass. An exception of done() ends the pass.
  BucketHooks(const std::vector<Tensor>& parameters, const BucketPlan& plan, std::function<void(size_t)> done);
  ~BucketHooks();
  BucketHooks(const BucketHooks&) = delete;
  BucketHooks& operator=(const BucketHooks&) = delete;

  /// Call it after the pass. Completes the buckets with a parameter that had no part in the loss.
  void finish();

 private:
  void parameter_done(size_t parameter);

  const std::vector<Tensor>& parameters_;
  const BucketPlan& plan_;
  std::function<void(size_t)> done_;
  std::vector<size_t> missing_;  // parameters of each bucket that have no gradient yet
};

}  // namespace heed::training
