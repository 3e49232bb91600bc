// An optimizer whose state and step several ranks divide among them (ZeRO stage 1, Rajbhandari et al. 2020,
// https://arxiv.org/abs/1910.02054): each has the state of the stretches of parameters that it owns (flat_layout.h),
// makes their step, and gives them to the others. The rules of optimizer.h look at each number by itself, so that the
// result is that of a whole optimizer, to the last bit.
#pragma once

#include <memory>

#include "heed_torch/distributed/rank_group.h"
#include "heed_torch/training/optimization/optimizer.h"
#include "heed_torch/training/update/gradient/flat_layout.h"

namespace heed::training {

class ShardedOptimizer : public Optimizer {
 public:
  /// parameters: float, contiguous. Each needs its gradient in what the rank owns of it alone. Throws as
  /// make_optimizer.
  ShardedOptimizer(const OptimizerOptions& options, NamedParameters parameters,
                   std::shared_ptr<distributed::RankGroup> ranks);

  void step(double learning_rate) override;
  /// Rank 0's memory is its own.
  std::map<std::string, Tensor> state() const override;
  void load(const std::map<std::string, Tensor>& saved, const std::string& path) override;
  SharedWork shared_work() const override { return shared_work_; }

 private:
  /// What this rank owns of a parameter.
  struct Owned {
    size_t parameter = 0;
    int64_t begin = 0;   // in the parameter
    int64_t place = 0;   // in the layout
    Tensor values = {};  // [elements], sharing memory
    std::string name = {};
  };
  void share_parameters();
  Tensor packed(FlatRange share, const std::vector<Tensor>& stretches) const;
  void unpack(const Tensor& bucket, FlatRange range, const std::vector<Tensor>& flat) const;
  std::vector<Tensor> collect(const std::vector<Tensor>& stretches) const;

  NamedParameters parameters_;
  std::vector<Tensor> flat_parameters_;  // [elements], sharing memory
  std::shared_ptr<distributed::RankGroup> ranks_;
  FlatLayout layout_;
  std::vector<Owned> owned_;
  std::unique_ptr<Optimizer> own_;  // of what is owned; null where that is nothing
  SharedWork shared_work_;
};

}  // namespace heed::training
