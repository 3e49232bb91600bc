// The edits of TER between two texts whose words are numbers: as long as shifting a run of words of the hypothesis
// makes the edit distance smaller, the best such shift is applied; the edits are the shifts and the distance that is
// left.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/metrics/ter/beam_edit_distance.h"

namespace heed::metrics {

/// Holds buffers for reuse, so that each thread needs its own.
class TranslationEdits {
 public:
  /// Equal words have equal numbers. An empty reference: every word of the hypothesis is an edit.
  int64_t count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference);

 private:
  /// `length` words of the hypothesis from `start` on are put before the word at `target`.
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
  std::vector<uint32_t> words_;    // of the hypothesis, as shifted so far
  std::vector<uint32_t> shifted_;  // of a shift that is tried
  int32_t distance_ = 0;           // from words_
  int64_t tried_ = 0;
  std::vector<Edit> edits_;
  std::vector<int64_t> aligned_;            // for each word of the reference: one of words_, -1: before the first
  std::vector<int64_t> hypothesis_errors_;  // before each word, and all
  std::vector<int64_t> reference_errors_;
};

}  // namespace heed::metrics
