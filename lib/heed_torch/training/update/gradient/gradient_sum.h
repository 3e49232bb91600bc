// Adds up the gradients of an update's parts along the tree (part_tree.h), as they are computed, in whatever order.
// Each stretch of the gradient is added up by itself, as soon as a part's backward pass is done with it: so the sum of
// what the pass computes first is there while the pass goes on.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "heed_torch/training/update/gradient/bfloat16_form.h"
#include "heed_torch/training/update/gradient/gradient_buffer.h"
#include "heed_torch/training/update/gradient/part_tree.h"

namespace heed::training {

/// The sum of the gradients of a node's parts. It stands in the block in which its first part was computed.
struct NodeSum {
  PartRange node = {};
  std::shared_ptr<GradientBuffer> gradient = {};

  Tensor in(FlatRange stretch) const { return gradient->flat().narrow(0, stretch.begin, stretch.size()); }
};

class GradientSum {
 public:
  /// Of the parts in `range`, of `parts` in all, whose gradients consist of `stretches`. rounds: each part's gradient,
  /// and each sum, to bfloat16. The pool must outlive the sums.
  GradientSum(GradientPool& pool, PartRange range, size_t parts, const std::vector<FlatRange>& stretches, bool rounds);

  /// Where the gradient of that part is to be accumulated: zeros, or already the sum to which it is added. This and
  /// end() may be called from several threads at once.
  NodeSum begin(size_t part);
  /// It was, in the stretch of that number. Whether all parts of the range now are.
  bool end(NodeSum sum, size_t stretch);
  /// When all parts have ended in that stretch: the sums of the largest nodes within the range, in order.
  std::vector<NodeSum> sums(size_t stretch) const;

 private:
  /// Of one stretch.
  struct Stretch {
    FlatRange range;
    std::map<size_t, NodeSum> sums = {};  // by their first part: those whose other half is missing
    size_t missing = 0;                   // parts whose end() has not returned
  };
  std::shared_ptr<GradientBuffer> take(PartRange node);
  std::optional<NodeSum> other_half(const NodeSum& sum, Stretch& stretch);

  GradientPool& pool_;
  PartRange range_;
  size_t parts_;
  bool rounds_;
  mutable std::mutex mutex_;
  std::vector<Stretch> stretches_;
};

}  // namespace heed::training
