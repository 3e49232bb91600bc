#include "heed/engine/common/beam_cache.h"

#include <utility>

namespace heed::engine {

BeamCache::BeamCache(int64_t layers, int64_t beam, int64_t width, Begin begin)
    : width_(width), rows_(static_cast<size_t>(layers)), places_(static_cast<size_t>(beam)) {
  if (begin == Begin::RowOfZeros) places_.assign(places_.size(), {take_place()});  // new rows are zeros
}

void BeamCache::append() {
  for (auto& places : places_) places.push_back(take_place());
}

int64_t BeamCache::take_place() {
  if (!free_.empty()) {
    const int64_t place = free_.back();
    free_.pop_back();
    return place;
  }
  const auto place = std::ssize(rows_.front());
  for (auto& rows : rows_) rows.resize(static_cast<size_t>(place + width_));
  return place;
}

void BeamCache::select(std::span<const int32_t> parents) {
  std::vector<std::vector<int64_t>> places;
  for (const int32_t parent : parents) places.push_back(places_[static_cast<size_t>(parent)]);
  places_ = std::move(places);
  if (places_.size() > 1) free_places();
}

void BeamCache::free_places() {
  std::vector<uint8_t> kept(rows_.front().size() / static_cast<size_t>(width_));
  for (const auto& places : places_) {
    for (const int64_t place : places) kept[static_cast<size_t>(place / width_)] = 1;
  }
  free_.clear();
  for (size_t row = kept.size(); row-- > 0;) {
    if (kept[row] == 0) free_.push_back(static_cast<int64_t>(row) * width_);
  }
}

}  // namespace heed::engine
