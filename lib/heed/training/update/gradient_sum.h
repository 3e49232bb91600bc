// Adds up the gradients of an update's parts along the tree (part_tree.h), as they are computed, in whatever order.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "heed/training/update/bfloat16_form.h"
#include "heed/training/update/gradient_buffer.h"
#include "heed/training/update/part_tree.h"

namespace heed::training {

/// The sum of the gradients of a node's parts.
struct NodeSum {
  PartRange node = {};
  std::unique_ptr<GradientBuffer> gradient = {};
};

class GradientSum {
 public:
  /// Of the parts in `range`, of `parts` in all. rounds: each part's gradient, and each sum, to bfloat16.
  GradientSum(GradientPool& pool, PartRange range, size_t parts, bool rounds);

  /// Where the gradient of that part is to be accumulated: zeros, or already the sum to which it is added. Both may be
  /// called from several threads at once.
  NodeSum begin(size_t part);
  /// It was.
  void end(NodeSum sum);
  /// When all parts have ended: the sums of the largest nodes within the range, in order.
  std::vector<NodeSum> take();

 private:
  std::unique_ptr<GradientBuffer> find(PartRange node);

  GradientPool& pool_;
  PartRange range_;
  size_t parts_;
  bool rounds_;
  std::mutex mutex_;
  std::map<size_t, NodeSum> sums_;  // by their first part: those whose other half is missing
};

}  // namespace heed::training
