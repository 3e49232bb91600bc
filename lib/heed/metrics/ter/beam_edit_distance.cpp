#include "heed/metrics/ter/beam_edit_distance.h"

#include <algorithm>
#include <cmath>

#include "heed/core/error.h"

namespace heed::metrics {
namespace {

constexpr int64_t kBeam = 25;
constexpr int32_t kUnreached = 1 << 29;

}  // namespace

void BeamEditDistance::set(int64_t hypothesis_length, std::span<const uint32_t> reference) {
  reference_ = reference;
  rows_ = hypothesis_length;
  const auto columns = static_cast<int64_t>(reference.size());
  slope_ = rows_ > 0 ? static_cast<double>(columns) / static_cast<double>(rows_) : 1;
  // With a very steep diagonal, the bands of neighboring rows would not touch.
  beam_ = kBeam < slope_ / 2 ? static_cast<int64_t>(std::ceil(slope_ / 2 + kBeam)) : kBeam;
  width_ = std::min(columns + 1, 2 * beam_ + 2);
  cells_.resize(static_cast<size_t>(rows_ * width_));
  costs_.resize(static_cast<size_t>(columns + 1));
}

BeamEditDistance::Band BeamEditDistance::band(int64_t row) const {
  const auto columns = static_cast<int64_t>(reference_.size()) + 1;
  const auto diagonal = static_cast<int64_t>(static_cast<double>(row) * slope_);
  return {std::max<int64_t>(0, diagonal - beam_), row == rows_ ? columns : std::min(columns, diagonal + beam_)};
}

BeamEditDistance::Cell BeamEditDistance::cell(int64_t row, int64_t column) const {
  if (row == 0) return {static_cast<int32_t>(column), Edit::Insert};
  const Band columns = band(row);
  if (column < columns.begin || column >= columns.end) return {kUnreached, Edit::None};
  return cells_[static_cast<size_t>((row - 1) * width_ + column - columns.begin)];
}

/// Ties: keep or replace first, then delete, then insert.
void BeamEditDistance::fill_row(int64_t row, uint32_t word) {
  const Band columns = band(row);
  const Band above = row > 1 ? band(row - 1) : Band{0, 0};
  const Cell* const above_cells = row > 1 ? stored(row - 1) : nullptr;
  const auto cost_above = [&](int64_t j) {
    if (row == 1) return static_cast<int32_t>(j);
    return j >= above.begin && j < above.end ? above_cells[j - above.begin].cost : kUnreached;
  };
  Cell* cells = stored(row);
  int32_t diagonal = columns.begin > 0 ? cost_above(columns.begin - 1) : kUnreached;
  int32_t left = kUnreached;
  for (int64_t j = columns.begin; j < columns.end; ++j) {
    Cell best{kUnreached, Edit::None};
    const auto offer = [&best](int32_t cost, Edit edit) {
      if (cost < best.cost) best = {cost, edit};
    };
    if (j > 0) {
      const bool same = word == reference_[static_cast<size_t>(j - 1)];
      offer(diagonal + (same ? 0 : 1), same ? Edit::Keep : Edit::Replace);
    }
    diagonal = cost_above(j);
    offer(diagonal + 1, Edit::Delete);
    offer(left + 1, Edit::Insert);
    left = best.cost;
    cells[j - columns.begin] = best;
  }
}

int32_t BeamEditDistance::trace(std::span<const uint32_t> hypothesis, std::vector<Edit>& edits) {
  for (int64_t i = 1; i <= rows_; ++i) fill_row(i, hypothesis[static_cast<size_t>(i - 1)]);
  int64_t i = rows_;
  auto j = static_cast<int64_t>(reference_.size());
  const int32_t cost = cell(i, j).cost;
  edits.clear();
  while (i > 0 || j > 0) {
    const Edit edit = cell(i, j).edit;
    check(edit != Edit::None, "the beam of the edit distance has a gap");
    edits.push_back(edit);
    if (edit != Edit::Insert) --i;
    if (edit != Edit::Delete) --j;
  }
  std::ranges::reverse(edits);
  return cost;
}

/// Computes the costs of `row` in place, from those of the previous row. Returns the lowest.
int32_t BeamEditDistance::next_row(int64_t row, uint32_t word) {
  const Band columns = band(row);
  int32_t diagonal = columns.begin > 0 ? costs_[static_cast<size_t>(columns.begin - 1)] : kUnreached;
  int32_t left = kUnreached;
  int32_t least = kUnreached;
  for (int64_t j = columns.begin; j < columns.end; ++j) {
    int32_t& cost = costs_[static_cast<size_t>(j)];
    int32_t best = std::min({kUnreached, cost + 1, left + 1});
    if (j > 0) best = std::min(best, diagonal + (word == reference_[static_cast<size_t>(j - 1)] ? 0 : 1));
    diagonal = cost;
    cost = left = best;
    least = std::min(least, best);
  }
  if (columns.begin > 0) costs_[static_cast<size_t>(columns.begin - 1)] = kUnreached;
  return least;
}

int32_t BeamEditDistance::distance(std::span<const uint32_t> hypothesis, int64_t same_words, int32_t limit) {
  std::ranges::fill(costs_, kUnreached);
  const Band columns = same_words > 0 ? band(same_words) : Band{0, static_cast<int64_t>(costs_.size())};
  for (int64_t j = columns.begin; j < columns.end; ++j) costs_[static_cast<size_t>(j)] = cell(same_words, j).cost;
  for (int64_t i = same_words + 1; i <= rows_; ++i) {
    const int32_t least = next_row(i, hypothesis[static_cast<size_t>(i - 1)]);
    if (least > limit) return least;
  }
  return costs_.back();
}

}  // namespace heed::metrics
