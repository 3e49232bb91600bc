#include "heed/metrics/ter/translation_edits.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "heed/core/error.h"

namespace heed::metrics {
namespace {

constexpr int64_t kBeam = 25;
constexpr int32_t kUnreached = 1 << 29;

constexpr int64_t kLongestShift = 10;   // words
constexpr int64_t kFarthestShift = 50;  // words between the beginnings of the matching runs
constexpr int64_t kMostShiftsTried = 1000;

int64_t size_of(const auto& words) { return static_cast<int64_t>(words.size()); }

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

bool TranslationEdits::Shift::better_than(const Shift& other) const {
  return std::tuple(gain, length, -start, -target) > std::tuple(other.gain, other.length, -other.start, -other.target);
}

int64_t TranslationEdits::count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference) {
  if (reference.empty()) return size_of(hypothesis);
  if (std::ranges::equal(hypothesis, reference)) return 0;
  reference_ = reference;
  words_.assign(hypothesis.begin(), hypothesis.end());
  edit_distance_.set(size_of(words_), reference);
  tried_ = 0;
  for (int64_t shifts = 0;; ++shifts) {
    distance_ = align();
    const Shift best = best_shift();
    // A shift found when the limit was reached is not applied.
    if (tried_ >= kMostShiftsTried || best.gain <= 0) return shifts + distance_;
    shift_words(best);
    words_.swap(shifted_);
  }
}

/// Aligns the words of both texts and counts errors, for the present edit distance. Returns that distance.
int32_t TranslationEdits::align() {
  const int32_t distance = edit_distance_.trace(words_, edits_);
  aligned_.clear();
  hypothesis_errors_.assign(1, 0);
  reference_errors_.assign(1, 0);
  for (const Edit edit : edits_) {
    const int error = edit == Edit::Keep ? 0 : 1;
    if (edit != Edit::Insert) hypothesis_errors_.push_back(hypothesis_errors_.back() + error);
    if (edit == Edit::Delete) continue;
    aligned_.push_back(size_of(hypothesis_errors_) - 2);
    reference_errors_.push_back(reference_errors_.back() + error);
  }
  return distance;
}

/// The gain is 0 if no shift helps.
TranslationEdits::Shift TranslationEdits::best_shift() {
  Shift best;
  for (int64_t start = 0; start < size_of(words_); ++start) {
    const auto end_of_run = static_cast<size_t>(std::min(start + kLongestShift, size_of(words_)));
    if (hypothesis_errors_[end_of_run] == hypothesis_errors_[static_cast<size_t>(start)]) continue;
    const int64_t last = std::min(size_of(reference_) - 1, start + kFarthestShift);
    for (int64_t other = std::max<int64_t>(0, start - kFarthestShift); other <= last; ++other) {
      const int64_t longest = std::min({kLongestShift, size_of(words_) - start, size_of(reference_) - other});
      for (int64_t length = 1; length <= longest; ++length) {
        const auto end = static_cast<size_t>(length - 1);
        if (words_[static_cast<size_t>(start) + end] != reference_[static_cast<size_t>(other) + end]) break;
        if (is_candidate(start, other, length)) try_targets(start, other, length, best);
        if (tried_ >= kMostShiftsTried) return best;
      }
    }
  }
  return best;
}

/// Whether both runs have an error, and the target is outside the shifted words.
bool TranslationEdits::is_candidate(int64_t start, int64_t reference_start, int64_t length) const {
  const auto has_error = [length](const std::vector<int64_t>& errors, int64_t begin) {
    return errors[static_cast<size_t>(begin + length)] > errors[static_cast<size_t>(begin)];
  };
  const int64_t aligned = aligned_[static_cast<size_t>(reference_start)];
  return has_error(hypothesis_errors_, start) && has_error(reference_errors_, reference_start) &&
         (aligned < start || aligned >= start + length);
}

void TranslationEdits::try_targets(int64_t start, int64_t reference_start, int64_t length, Shift& best) {
  int64_t previous = -1;
  for (int64_t place = reference_start - 1; place < reference_start + length; ++place) {
    const int64_t target = place < 0 ? 0 : aligned_[static_cast<size_t>(place)] + 1;
    if (target == previous) continue;
    previous = target;
    ++tried_;
    Shift shift{.length = length, .start = start, .target = target};
    shift.gain = gain(shift, std::max(1, best.gain));
    if (shift.better_than(best)) best = shift;
  }
}

/// By how much the shift reduces the distance; any smaller number if that is less than `wanted`.
int32_t TranslationEdits::gain(const Shift& shift, int32_t wanted) {
  if (shift.target == shift.start) return 0;
  shift_words(shift);
  return distance_ - edit_distance_.distance(shifted_, std::min(shift.start, shift.target), distance_ - wanted);
}

void TranslationEdits::shift_words(const Shift& shift) {
  shifted_ = words_;
  const auto begin = shifted_.begin() + shift.start;
  const auto end = begin + shift.length;
  if (shift.target < shift.start) {
    std::rotate(shifted_.begin() + shift.target, begin, end);
  } else {
    // A target within the run counts from the end of the run.
    const int64_t target = shift.target > shift.start + shift.length ? shift.target : shift.target + shift.length;
    std::rotate(begin, end, shifted_.begin() + std::min(target, size_of(shifted_)));
  }
}

}  // namespace heed::metrics
