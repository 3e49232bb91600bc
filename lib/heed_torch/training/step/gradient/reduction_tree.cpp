#include "heed_torch/training/step/gradient/reduction_tree.h"

namespace heed::training {
namespace {

void add_nodes(MicroBatchRange node, MicroBatchRange range, std::vector<MicroBatchRange>& nodes) {
  if (node.end <= range.begin || range.end <= node.begin) return;
  if (range.begin <= node.begin && node.end <= range.end) return nodes.push_back(node);
  add_nodes({.begin = node.begin, .end = middle(node)}, range, nodes);
  add_nodes({.begin = middle(node), .end = node.end}, range, nodes);
}

}  // namespace

size_t middle(MicroBatchRange node) { return node.begin + (node.size() + 1) / 2; }

std::optional<MicroBatchRange> parent_of(MicroBatchRange node, size_t parts) {
  MicroBatchRange ancestor{.begin = 0, .end = parts};
  if (ancestor == node) return std::nullopt;
  while (true) {
    const size_t divided = middle(ancestor);
    const MicroBatchRange half = node.begin < divided ? MicroBatchRange{.begin = ancestor.begin, .end = divided}
                                                      : MicroBatchRange{.begin = divided, .end = ancestor.end};
    if (half == node) return ancestor;
    ancestor = half;
  }
}

std::vector<MicroBatchRange> nodes_within(MicroBatchRange range, size_t parts) {
  std::vector<MicroBatchRange> nodes;
  if (range.size() > 0) add_nodes({.begin = 0, .end = parts}, range, nodes);
  return nodes;
}

MicroBatchRange share_of(size_t parts, size_t index, size_t count) {
  return {.begin = parts * index / count, .end = parts * (index + 1) / count};
}

}  // namespace heed::training
