#include "heed_torch/training/step/gradient/gradient_sum.h"

#include <algorithm>
#include <utility>

#include <ATen/ATen.h>

namespace heed::training {
namespace {

bool holds(const std::map<size_t, NodeSum>& sums, MicroBatchRange node) {
  const auto found = sums.find(node.begin);
  return found != sums.end() && found->second.node == node;
}

}  // namespace

GradientSum::GradientSum(GradientPool& pool, MicroBatchRange range, size_t parts,
                         const std::vector<FlatRange>& stretches, bool rounds)
    : pool_(pool), range_(range), parts_(parts), rounds_(rounds) {
  for (const FlatRange stretch : stretches) stretches_.push_back({.range = stretch, .missing = range.size()});
}

// The backward pass adds to the values of a block: so a right half of one part needs no block of its own.
NodeSum GradientSum::begin(size_t part) {
  const MicroBatchRange leaf{.begin = part, .end = part + 1};
  const auto parent = parent_of(leaf, parts_);
  if (parent && parent->end == leaf.end && !rounds_) {
    if (auto left = take({.begin = parent->begin, .end = part})) return {.node = *parent, .gradient = std::move(left)};
  }
  return {.node = leaf, .gradient = pool_.take()};
}

/// Takes the node's sum out of all stretches, if all of them hold it.
std::shared_ptr<GradientBuffer> GradientSum::take(MicroBatchRange node) {
  const std::lock_guard lock(mutex_);
  if (!std::ranges::all_of(stretches_, [&](const Stretch& stretch) { return holds(stretch.sums, node); })) return {};
  std::shared_ptr<GradientBuffer> gradient;
  for (Stretch& stretch : stretches_) gradient = stretch.sums.extract(node.begin).mapped().gradient;
  return gradient;
}

bool GradientSum::end(NodeSum sum, size_t stretch) {
  Stretch& ended = stretches_[stretch];
  if (rounds_) round_to_bfloat16(sum.in(ended.range));
  while (auto half = other_half(sum, ended)) {
    if (half->node.begin < sum.node.begin) std::swap(*half, sum);
    sum.in(ended.range).add_(half->in(ended.range));
    sum.node.end = half->node.end;
    if (rounds_) round_to_bfloat16(sum.in(ended.range));
  }
  const std::lock_guard lock(mutex_);
  return --ended.missing == 0;
}

/// Takes out the sum of the other half of the parent's node. If it is not there yet, stores this sum until it is.
std::optional<NodeSum> GradientSum::other_half(const NodeSum& sum, Stretch& stretch) {
  const auto parent = parent_of(sum.node, parts_);
  const std::lock_guard lock(mutex_);
  if (parent) {
    const bool is_left = parent->begin == sum.node.begin;
    const MicroBatchRange other = is_left ? MicroBatchRange{.begin = sum.node.end, .end = parent->end}
                                          : MicroBatchRange{.begin = parent->begin, .end = sum.node.begin};
    if (holds(stretch.sums, other)) return std::move(stretch.sums.extract(other.begin).mapped());
  }
  stretch.sums[sum.node.begin] = sum;
  return std::nullopt;
}

std::vector<NodeSum> GradientSum::sums(size_t stretch) const {
  const std::lock_guard lock(mutex_);
  std::vector<NodeSum> sums;
  for (const MicroBatchRange node : nodes_within(range_, parts_)) {
    TORCH_CHECK(holds(stretches_[stretch].sums, node), "a micro-batch of the step was not computed");
    sums.push_back(stretches_[stretch].sums.at(node.begin));
  }
  return sums;
}

}  // namespace heed::training
