// Sums the gradients of a step's parts along the tree (reduction_tree.h); the parts may be computed in any order.
// Each stretch (range) of the gradient is summed separately, as soon as a part's backward pass has completed it. So the
// first stretches are summed while the pass still computes the others.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "heed_torch/training/step/gradient/bfloat16_rounding.h"
#include "heed_torch/training/step/gradient/gradient_buffer.h"
#include "heed_torch/training/step/gradient/reduction_tree.h"

namespace heed::training {

/// The sum of the gradients of a node's parts. It is in the block of the node's first part.
struct NodeSum {
  MicroBatchRange node = {};
  std::shared_ptr<GradientBuffer> gradient = {};

  Tensor in(FlatRange stretch) const { return gradient->flat().narrow(0, stretch.begin, stretch.size()); }
};

class GradientSum {
 public:
  /// Sums the parts in `range`; a step has `parts` parts, whose gradients consist of `stretches`. rounds: whether
  /// each part's gradient and each sum are rounded to bfloat16. The pool must outlive the sums.
  GradientSum(GradientPool& pool, MicroBatchRange range, size_t parts, const std::vector<FlatRange>& stretches,
              bool rounds);

  /// Where to accumulate the gradient of that part: a block of zeros, or the sum to which it is added. begin() and
  /// end() may be called from several threads at once.
  NodeSum begin(size_t part);
  /// Call it when the gradient of the part is complete in that stretch. Returns whether all parts of the range are
  /// complete there.
  bool end(NodeSum sum, size_t stretch);
  /// The sums in that stretch when all parts are complete there: those of the largest nodes within the range, in order.
  std::vector<NodeSum> sums(size_t stretch) const;

 private:
  /// The sums of one stretch.
  struct Stretch {
    FlatRange range;
    std::map<size_t, NodeSum> sums = {};  // by their first part: sums whose other half is missing
    size_t missing = 0;                   // number of parts whose end() has not returned
  };
  std::shared_ptr<GradientBuffer> take(MicroBatchRange node);
  std::optional<NodeSum> other_half(const NodeSum& sum, Stretch& stretch);

  GradientPool& pool_;
  MicroBatchRange range_;
  size_t parts_;
  bool rounds_;
  mutable std::mutex mutex_;
  std::vector<Stretch> stretches_;
};

}  // namespace heed::training
