#include "heed/metrics/error_rates/edit_counts.h"

#include <algorithm>

namespace heed::metrics {
namespace {

/// Removes the common prefix and the common suffix, which need no edits.
void drop_common_ends(std::span<const uint32_t>& a, std::span<const uint32_t>& b) {
  const auto begin = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  a = a.subspan(begin);
  b = b.subspan(begin);
  size_t end = 0;
  while (end < std::min(a.size(), b.size()) && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  a = a.first(a.size() - end);
  b = b.first(b.size() - end);
}

}  // namespace

EditCounts EditCounter::count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference) {
  drop_common_ends(hypothesis, reference);
  row_.resize(hypothesis.size() + 1);
  for (size_t h = 0; h < row_.size(); ++h) {
    const auto inserted = static_cast<int32_t>(h);
    row_[h] = {.cost = inserted, .deleted = 0, .inserted = inserted};
  }
  for (const uint32_t word : reference) fill_row(hypothesis, word);
  const Cell& all = row_.back();
  return {.substituted = all.cost - all.deleted - all.inserted, .deleted = all.deleted, .inserted = all.inserted};
}

void EditCounter::fill_row(std::span<const uint32_t> hypothesis, uint32_t reference_word) {
  Cell diagonal = row_[0];
  ++row_[0].cost;
  ++row_[0].deleted;
  for (size_t h = 1; h < row_.size(); ++h) {
    const Cell above = row_[h], left = row_[h - 1];
    const int32_t replaced = diagonal.cost + (hypothesis[h - 1] == reference_word ? 0 : 1);
    const int32_t cost = std::min({above.cost + 1, left.cost + 1, replaced});
    Cell& cell = row_[h];
    if (cost == above.cost + 1)
      cell = {.cost = cost, .deleted = above.deleted + 1, .inserted = above.inserted};
    else if (left.cost < diagonal.cost)
      cell = {.cost = cost, .deleted = left.deleted, .inserted = left.inserted + 1};
    else
      cell = {.cost = cost, .deleted = diagonal.deleted, .inserted = diagonal.inserted};
    diagonal = above;
  }
}

}  // namespace heed::metrics
