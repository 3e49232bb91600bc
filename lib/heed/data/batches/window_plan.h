// The order of training: which pairs each step has. It is a function of seed, epoch and lengths only.
//
// A corpus is split into windows of nearly equal size, at most `window` pairs each. The order of the windows is random
// in every epoch. A window is one or more buckets of the corpus, so it is a uniform sample of the corpus. If a bucket
// is larger than a window, the window is a contiguous range of the bucket.
//
// The pairs of a window are sorted into length bands: by target length, then by source length, then at random. Source
// lengths ascend and descend in turn, so that neighbors are alike across bands. The sorted pairs are split into
// steps, and the steps are shuffled. So each step has pairs of similar length, and every pair is used exactly
// once per epoch. The pairs of a step differ from epoch to epoch.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "heed/data/encoded/encoded_pairs.h"

namespace heed::data {

/// A contiguous range of pairs.
struct Window {
  int64_t begin = 0;
  int64_t size = 0;
  bool operator==(const Window&) const = default;
};
/// The windows of an epoch in their order, which is shuffled with (seed, Purpose::Shuffle, epoch). buckets: the start
/// of each bucket, then the end of the last.
std::vector<Window> epoch_windows(std::span<const int64_t> buckets, int64_t window_size, uint64_t seed, int64_t epoch);

/// The steps of one window in their order. Takes 20 bytes of memory per pair while it is made, 4 afterwards.
class WindowPlan {
 public:
  /// Limits a step to `step_tokens` target tokens, eos counted, and each of its padded matrices to twice that. The
  /// second limit prevents pairs of unlike lengths from exhausting memory. A pair above the limits is a step by
  /// itself. The last two steps share their pairs evenly. Random numbers are those of (seed, Purpose::Shuffle and
  /// Purpose::Batching, epoch, begin).
  WindowPlan(const EncodedPairs& from, const Window& window, int64_t step_tokens, uint64_t seed, int64_t epoch);
  using Copies = std::function<int64_t(int64_t pair)>;
  /// copies: how many times each pair is used. The plan has no steps if no pair is used.
  WindowPlan(const EncodedPairs& from, const Copies& copies, const Window& window, int64_t step_tokens, uint64_t seed,
             int64_t epoch);

  int64_t steps() const { return static_cast<int64_t>(order_.size()); }
  /// Pairs of all steps. A pair that is used several times counts each time.
  int64_t size() const { return static_cast<int64_t>(pairs_.size()); }
  /// The pairs of a step, sorted by length, as offsets from the window's start.
  std::span<const uint32_t> pairs(int64_t step) const;

 private:
  std::vector<uint32_t> pairs_;  // offsets, sorted by length band
  std::vector<int64_t> begins_;  // start of each step in pairs_; then the end
  std::vector<int64_t> order_;   // numbers of the steps in the order of training
};

}  // namespace heed::data
