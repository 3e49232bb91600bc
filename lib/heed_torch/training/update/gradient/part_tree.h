// The order in which the gradients of an update's parts are added: that of a fixed binary tree over their numbers. So
// it does not matter, to the last bit, who adds which parts: replicas, ranks, or one process after the other.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace heed::training {

/// The parts from `begin` up to `end`.
struct PartRange {
  size_t begin = 0;
  size_t end = 0;
  size_t size() const { return end - begin; }
  bool operator==(const PartRange&) const = default;
};

/// Where a node of several parts is divided: into its first half, larger by one if they are not equal, and the rest.
size_t middle(PartRange node);
/// The node whose half this one is, in the tree over `parts` parts; absent for the whole.
std::optional<PartRange> parent_of(PartRange node, size_t parts);
/// The largest nodes that lie within `range`, in order.
std::vector<PartRange> nodes_within(PartRange range, size_t parts);
/// The stretch that the one of `count` numbered `index` computes: all are equal but for one part.
PartRange share_of(size_t parts, size_t index, size_t count);

}  // namespace heed::training
