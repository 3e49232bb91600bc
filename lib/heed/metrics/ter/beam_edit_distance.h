// Edit distance of word sequences within a beam around the diagonal, as sacreBLEU's TER has it: the cells that the beam
// leaves out, and the order of preference among equally cheap edits, decide which shifts TER finds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::metrics {

/// What happens to the next word: Keep and Replace take one of both texts, Delete one of the hypothesis, Insert one of
/// the reference.
enum class Edit : uint8_t { None, Keep, Replace, Delete, Insert };

/// Holds buffers for reuse, so that each thread needs its own.
class BeamEditDistance {
 public:
  /// What is compared from now on: hypotheses of this length with this reference, which must outlive the calls.
  void set(int64_t hypothesis_length, std::span<const uint32_t> reference);
  /// The distance of a hypothesis, and the edits that turn it into the reference. Keeps the rows of its table.
  int32_t trace(std::span<const uint32_t> hypothesis, std::vector<Edit>& edits);
  /// The distance of another hypothesis that begins with the same `same_words` words as the one traced last; some
  /// number above `limit` if it is above `limit`.
  int32_t distance(std::span<const uint32_t> hypothesis, int64_t same_words, int32_t limit);

 private:
  struct Cell {
    int32_t cost;
    Edit edit;
  };
  /// The columns [begin, end) of a row that are within the beam.
  struct Band {
    int64_t begin;
    int64_t end;
  };
  Band band(int64_t row) const;
  Cell* stored(int64_t row) { return cells_.data() + (row - 1) * width_; }
  Cell cell(int64_t row, int64_t column) const;
  void fill_row(int64_t row, uint32_t word);
  int32_t next_row(int64_t row, uint32_t word);

  std::span<const uint32_t> reference_;
  int64_t rows_ = 0;  // words of the hypothesis
  int64_t beam_ = 0;
  double slope_ = 1;            // of the diagonal: words of the reference per word of the hypothesis
  int64_t width_ = 0;           // cells kept per row
  std::vector<Cell> cells_;     // rows 1 to rows_, each from the begin of its band
  std::vector<int32_t> costs_;  // one whole row, for distance()
};

}  // namespace heed::metrics
