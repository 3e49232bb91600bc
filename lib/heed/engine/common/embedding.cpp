#include "heed/engine/common/embedding.h"

#include <cmath>

namespace heed::engine {

void EmbeddingTable::look_up(int32_t token, float* row) const {
  const float* vector = weight.numbers.data() + token * weight.columns;
  for (int64_t i = 0; i < weight.columns; ++i) row[i] = vector[i] * scale;
}

const float* PositionTable::at(int64_t position) {
  while (static_cast<int64_t>(rows_.size()) <= position * width_) append();
  return rows_.data() + position * width_;
}

void PositionTable::append() {
  const int64_t made = static_cast<int64_t>(rows_.size()) / width_;
  const auto position = static_cast<double>(made);
  const int64_t half = width_ / 2;
  const size_t begin = rows_.size();
  rows_.resize(begin + static_cast<size_t>(width_));
  float* row = rows_.data() + begin;
  for (int64_t i = 0; i < half; ++i) {
    const double angle =
        position * std::exp(static_cast<double>(2 * i) * -std::log(base_) / static_cast<double>(width_));
    if (kind_ == Kind::Sinusoidal) {
      row[2 * i] = static_cast<float>(std::sin(angle));
      row[2 * i + 1] = static_cast<float>(std::cos(angle));
    } else {
      row[i] = static_cast<float>(std::cos(angle));
      row[half + i] = static_cast<float>(std::sin(angle));
    }
  }
}

}  // namespace heed::engine
