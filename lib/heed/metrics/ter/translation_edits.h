// The edits of TER between two texts whose words are numbers. While shifting a run of hypothesis words reduces the edit
// distance, the best such shift is applied. The edits are the shifts plus the remaining distance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/metrics/ter/beam_edit_distance.h"

namespace heed::metrics {

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
