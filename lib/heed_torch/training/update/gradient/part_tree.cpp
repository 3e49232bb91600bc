#include "heed_torch/training/update/gradient/part_tree.h"

namespace heed::training {
namespace {

void add_nodes(PartRange node, PartRange range, std::vector<PartRange>& nodes) {
  if (node.end <= range.begin || range.end <= node.begin) return;
  if (range.begin <= node.begin && node.end <= range.end) return nodes.push_back(node);
  add_nodes({.begin = node.begin, .end = middle(node)}, range, nodes);
  add_nodes({.begin = middle(node), .end = node.end}, range, nodes);
}

}  // namespace

size_t middle(PartRange node) { return node.begin + (node.size() + 1) / 2; }

std::optional<PartRange> parent_of(PartRange node, size_t parts) {
  PartRange ancestor{.begin = 0, .end = parts};
  if (ancestor == node) return std::nullopt;
  while (true) {
    const size_t divided = middle(ancestor);
    const PartRange half = node.begin < divided ? PartRange{.begin = ancestor.begin, .end = divided}
                                                : PartRange{.begin = divided, .end = ancestor.end};
    if (half == node) return ancestor;
    ancestor = half;
  }
}

std::vector<PartRange> nodes_within(PartRange range, size_t parts) {
  std::vector<PartRange> nodes;
  if (range.size() > 0) add_nodes({.begin = 0, .end = parts}, range, nodes);
  return nodes;
}

PartRange share_of(size_t parts, size_t index, size_t count) {
  return {.begin = parts * index / count, .end = parts * (index + 1) / count};
}

}  // namespace heed::training
