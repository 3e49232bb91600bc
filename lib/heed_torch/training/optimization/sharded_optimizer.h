// An optimizer whose state and step are sharded among ranks (ZeRO stage 1, Rajbhandari et al. 2020,
// https://arxiv.org/abs/1910.02054). Each rank holds the state of the ranges of parameters that it owns
// (flat_layout.h), makes their step, and sends the new values to the other ranks. Most optimizers treat each element
// separately; for the others, ranks own whole parameters. So the result is bit-identical to that of an
// UnshardedOptimizer.
#pragma once

#include <memory>

#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/step/gradient/flat_layout.h"

namespace heed::training {

class ShardedOptimizer : public Optimizer {
 public:
  /// parameters: float, contiguous. A parameter needs a gradient only in the ranges that the rank owns (flat_layout.h),
  /// or everywhere if the optimizer needs whole parameters. ema_decay: see make_optimizer. Throws as make_optimizer.
  ShardedOptimizer(const OptimizerOptions& options, NamedParameters parameters,
                   std::shared_ptr<distributed::RankGroup> ranks, double ema_decay = 0);

  void step(double learning_rate) override;
  /// On rank 0 the tensors have their own memory.
  std::map<std::string, Tensor> state() const override;
  void load(const std::map<std::string, Tensor>& saved, const std::string& path) override;
  bool has_average() const override { return has_average_; }
  void copy_average_to_parameters() override;
  CommunicationStats shared_work() const override { return shared_work_; }

 private:
  /// A range of the layout that ranks exchange at once, and what each of them owns of it.
  struct Bucket {
    FlatRange range;
    std::vector<FlatRange> shares;
  };
  std::vector<Bucket> buckets() const;
  /// A range of a parameter that this rank owns.
  struct Owned {
    size_t parameter = 0;
    int64_t begin = 0;   // in the parameter
    int64_t place = 0;   // in the layout
    Tensor values = {};  // [elements], or the whole parameter, sharing memory with it
    std::string name = {};
  };
  void share_parameters();
  Tensor packed(FlatRange share) const;
  void unpack(const Tensor& bucket, FlatRange range) const;
  Tensor on_rank_0(const Tensor& own, size_t owner, int64_t size) const;
  Tensor place_in(std::map<std::string, Tensor>& state, const std::string& name, at::IntArrayRef shape) const;

  NamedParameters parameters_;
  std::vector<Tensor> flat_parameters_;  // [elements], sharing memory with the parameters
  std::shared_ptr<distributed::RankGroup> ranks_;
  FlatLayout layout_;
  bool owns_whole_parameters_;
  std::vector<Bucket> buckets_;
  std::vector<Owned> owned_;
  bool has_average_;
  std::unique_ptr<Optimizer> own_;  // of the ranges that this rank owns; null if there are none
  CommunicationStats shared_work_;
};

}  // namespace heed::training
