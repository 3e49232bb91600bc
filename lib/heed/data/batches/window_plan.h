// The order of training: which pairs make up which update. It is a function of seed, epoch and lengths alone.
//
// A corpus is cut into windows of nearly equal size, at most `window` pairs each, and the windows of an epoch come in
// a drawn order. A window is some buckets of the corpus, so a uniform sample of it; where a bucket is larger, a
// contiguous stretch of one. Within a window pairs are sorted into length bands: by target length, within it by source
// length (up and down in turn, so that neighbors are alike across bands), within it by drawn numbers. The sorted pairs
// are cut into updates, which come in a drawn order. So an update is of one band, every pair comes exactly once an
// epoch, and the pairs of an update differ from epoch to epoch.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "heed/data/encoded/encoded_corpus.h"
#include "heed/data/encoded/encoded_pairs.h"

namespace heed::data {

/// A contiguous range of pairs.
struct Window {
  int64_t begin = 0;
  int64_t size = 0;
  bool operator==(const Window&) const = default;
};
/// The windows of an epoch in their order: drawn with (seed, Purpose::Shuffle, epoch). buckets: where each begins, and
/// the end of the last.
std::vector<Window> epoch_windows(std::span<const int64_t> buckets, int64_t window_size, uint64_t seed, int64_t epoch);

class Mixture;

/// The updates of one window in their order. Takes 20 bytes of memory a pair while it is made, 4 afterwards.
class WindowPlan {
 public:
  /// An update ends before the pair that would take its target tokens (eos counted) over `update_tokens`, or one of its
  /// padded matrices over twice that: so lopsided pairs do not exhaust memory. A pair above the limits is an update
  /// alone; the last two updates share their pairs evenly. Draws with (seed, Purpose::Shuffle and Purpose::Batching,
  /// epoch, begin).
  WindowPlan(const EncodedPairs& from, const Window& window, int64_t update_tokens, uint64_t seed, int64_t epoch);
  /// mixture: how often each pair comes; it may give none at all.
  WindowPlan(const EncodedCorpus& corpus, const Mixture& mixture, const Window& window, int64_t update_tokens,
             uint64_t seed, int64_t epoch);

  int64_t updates() const { return static_cast<int64_t>(order_.size()); }
  /// Of all updates, with those that come several times.
  int64_t size() const { return static_cast<int64_t>(pairs_.size()); }
  /// The pairs of an update, as offsets from the window's begin; by length.
  std::span<const uint32_t> pairs(int64_t update) const;

 private:
  using Copies = std::function<int64_t(int64_t pair)>;
  WindowPlan(const EncodedPairs& from, const Copies& copies, const Window& window, int64_t update_tokens, uint64_t seed,
             int64_t epoch);

  std::vector<uint32_t> pairs_;  // offsets, by band
  std::vector<int64_t> begins_;  // of each update in pairs_, and the end
  std::vector<int64_t> order_;   // updates as they come
};

}  // namespace heed::data
