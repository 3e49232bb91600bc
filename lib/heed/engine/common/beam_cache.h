// The past of one sentence's hypotheses: rows of numbers that each decoding step stores for later steps, such as keys
// and values. Rows are never moved. When a beam continues another's hypothesis, it copies the list of that hypothesis'
// row offsets. Hypotheses of a beam share most tokens; a row that no hypothesis uses any more is reused.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::engine {

class BeamCache {
 public:
  enum class Begin {
    Empty,
    RowOfZeros,  ///< each layer begins with one row of zeros, which all beams share
  };
  /// width: floats per row.
  BeamCache(int64_t layers, int64_t beam, int64_t width, Begin begin);

  /// Adds an uninitialized row for the next step of every beam; its offset is the last of places().
  void append();
  /// Each beam continues its parent. parents: [beam]
  void select(std::span<const int32_t> parents);
  /// The rows of a layer; valid until the next append().
  float* rows(int64_t layer) { return rows_[static_cast<size_t>(layer)].data(); }
  /// The offsets of the rows of a beam's hypothesis, in the order of its steps: in floats from rows(), the same for all
  /// layers.
  const std::vector<int64_t>& places(int64_t beam) const { return places_[static_cast<size_t>(beam)]; }

 private:
  int64_t take_place();
  void free_places();

  int64_t width_;
  std::vector<std::vector<float>> rows_;      // per layer [rows][width]
  std::vector<std::vector<int64_t>> places_;  // per beam
  std::vector<int64_t> free_;                 // offsets of rows that no beam uses
};

}  // namespace heed::engine
