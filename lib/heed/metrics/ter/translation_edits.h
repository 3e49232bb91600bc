// The edits of TER between two texts whose words are numbers. While shifting a run of hypothesis words reduces the edit
// distance, the best such shift is applied. The edits are the shifts plus the remaining distance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed::metrics {

/// The next edit. Keep and Replace consume a word of both texts, Delete one of the hypothesis, Insert one of the
/// reference.
enum class Edit : uint8_t { None, Keep, Replace, Delete, Insert };

/// Edit distance of word sequences within a beam around the diagonal, as in sacreBLEU's TER. The beam and the order of
/// preference among equal costs decide which shifts TER finds. Not thread-safe: it reuses its buffers.
class BeamEditDistance {
 public:
  /// Sets the length of the hypotheses and the reference for the next calls. The reference must outlive them.
  void set(int64_t hypothesis_length, std::span<const uint32_t> reference);
  /// The distance of a hypothesis, and the edits that turn it into the reference. Stores the rows of its table.
  int32_t trace(std::span<const uint32_t> hypothesis, std::vector<Edit>& edits);
  /// The distance of another hypothesis whose first `same_words` words equal those of the last traced one. If it is
  /// above `limit`, the result is any number above `limit`.
  int32_t distance(std::span<const uint32_t> hypothesis, int64_t same_words, int32_t limit);

 private:
  struct Cell {
    int32_t cost;
    Edit edit;
  };
  /// The columns [begin, end) of a row within the beam.
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
  double slope_ = 1;            // of the diagonal: reference words per hypothesis word
  int64_t width_ = 0;           // cells kept per row
  std::vector<Cell> cells_;     // rows 1 to rows_, each from the beginning of its band
  std::vector<int32_t> costs_;  // a whole row, for distance()
};

/// Not thread-safe: it reuses its buffers.
class TranslationEdits {
 public:
  /// Equal words have equal numbers. With an empty reference every word of the hypothesis is an edit.
  int64_t count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference);

 private:
  /// Moves `length` words of the hypothesis, from `start`, before the word at `target`.
  struct Shift {
    int32_t gain = 0;
    int64_t length = 0;
    int64_t start = 0;
    int64_t target = 0;
    bool better_than(const Shift& other) const;
  };

  int32_t align();
  Shift best_shift();
  bool is_candidate(int64_t start, int64_t reference_start, int64_t length) const;
  void try_targets(int64_t start, int64_t reference_start, int64_t length, Shift& best);
  int32_t gain(const Shift& shift, int32_t wanted);
  void shift_words(const Shift& shift);

  BeamEditDistance edit_distance_;
  std::span<const uint32_t> reference_;
  std::vector<uint32_t> words_;    // of the hypothesis, after the shifts so far
  std::vector<uint32_t> shifted_;  // with the shift that is being tried
  int32_t distance_ = 0;           // of words_
  int64_t tried_ = 0;
  std::vector<Edit> edits_;
  std::vector<int64_t> aligned_;            // per word of the reference: the aligned index of words_; -1: before the
                                            // first
  std::vector<int64_t> hypothesis_errors_;  // cumulative: before each word, and in total
  std::vector<int64_t> reference_errors_;
};

}  // namespace heed::metrics
