// The order in which the gradients of a step's parts are added: a fixed binary tree over the parts' numbers. So the
// result is bit-identical whoever adds which parts: replicas, ranks, or one process.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace heed::training {

/// The parts from `begin` up to, but without, `end`.
struct MicroBatchRange {
  size_t begin = 0;
  size_t end = 0;
  size_t size() const { return end - begin; }
  bool operator==(const MicroBatchRange&) const = default;
};

/// The part at which the second half of a node begins. If the halves are not equal, the first is larger by one.
size_t middle(MicroBatchRange node);
/// The parent of a node in the tree over `parts` parts; absent for the root.
std::optional<MicroBatchRange> parent_of(MicroBatchRange node, size_t parts);
/// The largest nodes that are within `range`, in order.
std::vector<MicroBatchRange> nodes_within(MicroBatchRange range, size_t parts);
/// The parts that the worker `index` of `count` computes. The sizes of all shares differ by at most one.
MicroBatchRange share_of(size_t parts, size_t index, size_t count);

}  // namespace heed::training
