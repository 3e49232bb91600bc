// Rows that each step of decoding leaves for the steps behind it, of one sentence. They stay where their step left
// them; a beam that continues another's hypothesis takes over the list of their places. Most hypotheses of a beam share
// all but their last tokens: where no hypothesis leads through a row any more, a later step has its place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::engine {

class BeamPast {
 public:
  enum class Begin {
    Empty,
    RowOfZeros,  ///< each layer begins with one, which all beams have
  };
  /// width: floats of a row.
  BeamPast(int64_t layers, int64_t beam, int64_t width, Begin begin);

  /// Room for the row of one more step of every beam, whose place is its last. Its numbers are any.
  void append();
  /// Each beam continues its parent. parents: [beam]
  void select(std::span<const int32_t> parents);
  /// Until the next append.
  float* rows(int64_t layer) { return rows_[static_cast<size_t>(layer)].data(); }
  /// Of the rows that lead to a beam's hypothesis, in the order of their steps: where they begin, in floats behind
  /// rows() of any layer.
  const std::vector<int64_t>& places(int64_t beam) const { return places_[static_cast<size_t>(beam)]; }

 private:
  int64_t take_place();
  void free_places();

  int64_t width_;
  std::vector<std::vector<float>> rows_;      // of each layer [rows][width]
  std::vector<std::vector<int64_t>> places_;  // of each beam
  std::vector<int64_t> free_;                 // places of rows that no beam has
};

}  // namespace heed::engine
