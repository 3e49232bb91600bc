#include "heed/engine/recurrent/decoder_state.h"

#include <numeric>
#include <utility>

namespace heed::engine {

RecurrentState::RecurrentState(int64_t beam, int64_t row_width)
    : SentenceState(beam),
      width_(row_width),
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
