#include "heed/engine/recurrent/decoder_state.h"

#include <numeric>
#include <utility>

namespace heed::engine {

void BeamTapes::append() {
  const auto begin = std::ssize(entries_.front());
  for (auto& entries : entries_) entries.resize(static_cast<size_t>(begin + beam_ * width_));
  for (int64_t b = 0; b < beam_; ++b) places_[static_cast<size_t>(b)].push_back(begin + b * width_);
}

void BeamTapes::select(std::span<const int32_t> parents) {
  std::vector<std::vector<int64_t>> places;
  for (const int32_t parent : parents) places.push_back(places_[static_cast<size_t>(parent)]);
  places_ = std::move(places);
}

TapeRow BeamTapes::row(size_t layer, int64_t beam) {
  const auto& places = places_[static_cast<size_t>(beam)];
  float* entries = entries_[layer].data();
  return {.entries = entries,
          .places = places.data(),
          .count = std::ssize(places) - 1,
          .entry = entries + places.back()};
}

RecurrentState::RecurrentState(int64_t beam, int64_t row_width)
    : width_(row_width),
      before_(static_cast<size_t>(beam * row_width), 0),
      after_(before_.size(), 0),
      parents_(static_cast<size_t>(beam)) {
  std::iota(parents_.begin(), parents_.end(), 0);
}

void RecurrentState::select(std::span<const int32_t> parents) {
  std::vector<int64_t> rows;
  for (const int32_t parent : parents) rows.push_back(parents_[static_cast<size_t>(parent)]);
  parents_ = std::move(rows);
  if (tapes) tapes->select(parents);
}

void RecurrentState::begin() {
  std::swap(before_, after_);
  std::iota(parents_.begin(), parents_.end(), 0);
}

void RecurrentState::advance() {
  begin();
  ++position_;
}

}  // namespace heed::engine
