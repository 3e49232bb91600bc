#include "heed/training/update/gradient_sum.h"

#include <optional>
#include <utility>

#include <ATen/ATen.h>

namespace heed::training {

GradientSum::GradientSum(GradientPool& pool, PartRange range, size_t parts, bool rounds)
    : pool_(pool), range_(range), parts_(parts), rounds_(rounds) {}

std::unique_ptr<GradientBuffer> GradientSum::find(PartRange node) {
  const std::lock_guard lock(mutex_);
  const auto found = sums_.find(node.begin);
  if (found == sums_.end() || found->second.node != node) return nullptr;
  return std::move(sums_.extract(found).mapped().gradient);
}

// The backward pass adds onto what is there: a right half of one part needs no block of its own.
NodeSum GradientSum::begin(size_t part) {
  const PartRange leaf{.begin = part, .end = part + 1};
  const auto parent = parent_of(leaf, parts_);
  if (parent && parent->end == leaf.end && !rounds_) {
    if (auto left = find({.begin = parent->begin, .end = part})) return {.node = *parent, .gradient = std::move(left)};
  }
  return {.node = leaf, .gradient = pool_.take()};
}

void GradientSum::end(NodeSum sum) {
  if (rounds_) round_to_bfloat16(sum.gradient->flat());
  while (const auto parent = parent_of(sum.node, parts_)) {
    const bool is_left = parent->begin == sum.node.begin;
    const PartRange other = is_left ? PartRange{.begin = sum.node.end, .end = parent->end}
                                    : PartRange{.begin = parent->begin, .end = sum.node.begin};
    std::unique_ptr<GradientBuffer> half;
    {
      const std::lock_guard lock(mutex_);
      const auto found = sums_.find(other.begin);
      if (found == sums_.end() || found->second.node != other) {
        sums_[sum.node.begin] = std::move(sum);
        return;
      }
      half = std::move(sums_.extract(found).mapped().gradient);
    }
    if (!is_left) std::swap(half, sum.gradient);
    sum.gradient->flat().add_(half->flat());
    pool_.give_back(std::move(half));
    sum.node = *parent;
    if (rounds_) round_to_bfloat16(sum.gradient->flat());
  }
  const std::lock_guard lock(mutex_);
  sums_[sum.node.begin] = std::move(sum);
}

std::vector<NodeSum> GradientSum::take() {
  std::vector<NodeSum> sums;
  for (const PartRange node : nodes_within(range_, parts_)) {
    auto gradient = find(node);
    TORCH_CHECK(gradient, "a part of the update was not computed");
    sums.push_back({.node = node, .gradient = std::move(gradient)});
  }
  return sums;
}

}  // namespace heed::training
