// Steps that are skipped because their loss or gradient is not finite.
#pragma once

#include <cstdint>
#include <string>

#include "heed/data/batches/batch_stream.h"
#include "heed/data/encoded/encoded_pairs.h"
#include "heed_torch/training/step/gradient_computer.h"

namespace heed::training {

class SkippedSteps {
 public:
  struct State {
    int64_t skipped = 0;       ///< since the start of training
    int64_t bad_in_a_row = 0;  ///< skipped steps since the last good one
  };

  /// max_in_a_row: train.max-nonfinite-steps.
  explicit SkippedSteps(int64_t max_in_a_row) : max_in_a_row_(max_in_a_row) {}

  /// Call it after a step was made.
  void made() { state_.bad_in_a_row = 0; }
  /// Counts a step in which float16 overflowed. This is normal until the loss scale is found.
  void overflowed() { ++state_.skipped; }
  /// Counts a step whose loss (in computed.bad_micro_batches) or gradient is not finite. Returns a sentence, without
  /// its end, that names the step and its pairs. Throws Error with it after max_in_a_row of them in a row.
  std::string bad(int64_t number, const data::StepBatch& step, const StepResult& computed,
                  const data::EncodedPairs& from);

  const State& state() const { return state_; }
  void load(const State& state) { state_ = state; }

 private:
  int64_t max_in_a_row_;
  State state_;
};

}  // namespace heed::training
