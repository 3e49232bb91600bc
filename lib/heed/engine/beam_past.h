// Rows that each step of decoding leaves for the steps behind it, of one sentence. They stay where their step left
// them; a beam that continues another's hypothesis takes over the list of their places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::engine {

class BeamPast {
 public:
  /// Each layer begins with one row of zeros that all beams have.
  BeamPast(int64_t layers, int64_t beam, int64_t width);

  /// Room for the row of one more step of every beam, whose place is its last.
  void append();
  /// Each beam continues its parent. parents: [beam]
  void select(std::span<const int32_t> parents);
  float* rows(int64_t layer) { return rows_[static_cast<size_t>(layer)].data(); }
  /// Of the rows that lead to a beam's hypothesis: where they begin, in floats behind rows() of any layer.
  const std::vector<int64_t>& places(int64_t beam) const { return places_[static_cast<size_t>(beam)]; }

 private:
  int64_t beam_, width_;
  std::vector<std::vector<float>> rows_;      // of each layer [1 + steps * beam][width]
  std::vector<std::vector<int64_t>> places_;  // of each beam
};

}  // namespace heed::engine
