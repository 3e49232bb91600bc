#include "heed/engine/beam_past.h"

#include <utility>

namespace heed::engine {

BeamPast::BeamPast(int64_t layers, int64_t beam, int64_t width)
    : beam_(beam),
      width_(width),
      rows_(static_cast<size_t>(layers), std::vector<float>(static_cast<size_t>(width), 0)),
      places_(static_cast<size_t>(beam), std::vector<int64_t>{0}) {}

void BeamPast::append() {
  const auto begin = std::ssize(rows_.front());
  for (auto& rows : rows_) rows.resize(static_cast<size_t>(begin + beam_ * width_));
  for (int64_t b = 0; b < beam_; ++b) places_[static_cast<size_t>(b)].push_back(begin + b * width_);
}

void BeamPast::select(std::span<const int32_t> parents) {
  std::vector<std::vector<int64_t>> places;
  for (const int32_t parent : parents) places.push_back(places_[static_cast<size_t>(parent)]);
  places_ = std::move(places);
}

}  // namespace heed::engine
