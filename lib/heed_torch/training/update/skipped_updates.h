// Updates that are not made because their loss or gradient is not finite.
#pragma once

#include <cstdint>
#include <string>

#include "heed/data/batches/update_stream.h"
#include "heed/data/encoded/encoded_pairs.h"
#include "heed_torch/training/update/update_computer.h"

namespace heed::training {

class SkippedUpdates {
 public:
  struct State {
    int64_t skipped = 0;       ///< since the start of training
    int64_t bad_in_a_row = 0;  ///< the latest ones
  };

  /// max_in_a_row: train.max-bad-updates.
  explicit SkippedUpdates(int64_t max_in_a_row) : max_in_a_row_(max_in_a_row) {}

  /// An update was made.
  void made() { state_.bad_in_a_row = 0; }
  /// Float16 overflowed, as it does until the loss's scale is found: nothing is wrong.
  void overflowed() { ++state_.skipped; }
  /// Counts an update whose loss (in computed.bad_parts) or else whose gradient is not finite. Says which and in which
  /// pairs, as a sentence without its end. Throws Error with it when that many were so in a row.
  std::string bad(int64_t number, const data::Update& update, const ComputedUpdate& computed,
                  const data::EncodedPairs& from);

  const State& state() const { return state_; }
  void load(const State& state) { state_ = state; }

 private:
  int64_t max_in_a_row_;
  State state_;
};

}  // namespace heed::training
