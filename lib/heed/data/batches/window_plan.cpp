#include "heed/data/batches/window_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "heed/core/error.h"
#include "heed/core/random.h"

namespace heed::data {
namespace {

struct Banded {
  int32_t source;  // length; negative in every other band, so that neighbors are alike across bands
  int32_t target;  // length
  uint32_t drawn;
  uint32_t offset;
  auto key() const { return std::tie(target, source, drawn, offset); }
};

int64_t target_tokens(const Banded& pair) { return int64_t{pair.target} + 1; }
int64_t source_tokens(const Banded& pair) { return std::abs(int64_t{pair.source}) + 1; }

/// The maximum size of a step, in batch_tokens (batching.h).
struct BatchLimit {
  int64_t limit;
  bool of_source;
  int64_t tokens(const Banded& pair) const { return of_source ? source_tokens(pair) : target_tokens(pair); }
};

std::vector<Banded> banded_pairs(const EncodedPairs& from, const std::function<int64_t(int64_t)>& copies,
                                 const Window& window, uint64_t seed, int64_t epoch) {
  RandomStream random(
      stream_key(seed, Purpose::Shuffle, static_cast<uint64_t>(epoch), static_cast<uint64_t>(window.begin) + 1));
  std::vector<Banded> pairs;
  pairs.reserve(static_cast<size_t>(window.size));
  for (int64_t i = 0; i < window.size; ++i) {
    const int64_t pair = window.begin + i;
    const auto target = static_cast<int32_t>(from.target_length(pair));
    const auto source = static_cast<int32_t>(from.source_length(pair));
    for (int64_t copy = copies(pair); copy > 0; --copy) {
      pairs.push_back({.source = target % 2 == 0 ? source : -source,
                       .target = target,
                       .drawn = static_cast<uint32_t>(random()),
                       .offset = static_cast<uint32_t>(i)});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Banded& a, const Banded& b) { return a.key() < b.key(); });
  return pairs;
}

/// The end of the longest range from `begin` that keeps the limits. It has at least one pair.
size_t batch_end(std::span<const Banded> pairs, size_t begin, const BatchLimit& size) {
  int64_t tokens = 0;
  int64_t columns = 0;
  size_t end = begin;
  for (; end < pairs.size(); ++end) {
    tokens += size.tokens(pairs[end]);
    columns = std::max({columns, target_tokens(pairs[end]), source_tokens(pairs[end])});
    const auto rows = static_cast<int64_t>(end - begin) + 1;
    if (rows > 1 && (tokens > size.limit || rows * columns > 2 * size.limit)) break;
  }
  return end;
}

/// Without this, the last step could be a single pair whose gradient has the weight of hundreds of pairs.
void share_last_two(std::span<const Banded> pairs, std::vector<int64_t>& begins, const BatchLimit& size) {
  if (begins.size() < 3) return;
  const auto first = static_cast<size_t>(begins[begins.size() - 3]);
  int64_t total = 0;
  for (size_t i = first; i < pairs.size(); ++i) total += size.tokens(pairs[i]);
  auto middle = static_cast<size_t>(begins[begins.size() - 2]);
  int64_t second = 0;
  for (size_t i = middle; i < pairs.size(); ++i) second += size.tokens(pairs[i]);
  while (middle > first + 1 && second + size.tokens(pairs[middle - 1]) <= total / 2)
    second += size.tokens(pairs[--middle]);
  if (batch_end(pairs, middle, size) == pairs.size()) begins[begins.size() - 2] = static_cast<int64_t>(middle);
}

/// The start of each of `count` groups of buckets with nearly equal sizes, then the end of the last.
std::vector<int64_t> even_groups(std::span<const int64_t> buckets, int64_t count) {
  std::vector<int64_t> begins{0};
  for (int64_t i = 1; i < count; ++i) {
    const int64_t wanted = buckets.back() / count * i;
    const int64_t begin = *std::ranges::lower_bound(buckets, wanted);
    if (begin > begins.back() && begin < buckets.back()) begins.push_back(begin);
  }
  begins.push_back(buckets.back());
  return begins;
}

int64_t largest_group(std::span<const int64_t> begins) {
  int64_t largest = 0;
  for (size_t i = 0; i + 1 < begins.size(); ++i) largest = std::max(largest, begins[i + 1] - begins[i]);
  return largest;
}

/// The fewest groups of buckets that are not larger than `size`. If a single bucket is larger, each bucket is a group.
std::vector<int64_t> group_begins(std::span<const int64_t> buckets, int64_t size) {
  const int64_t most = std::ssize(buckets) - 1;
  for (int64_t count = (buckets.back() + size - 1) / size; count < most; ++count) {
    std::vector<int64_t> begins = even_groups(buckets, count);
    if (largest_group(begins) <= size) return begins;
  }
  return {buckets.begin(), buckets.end()};
}

/// Splits a range into the fewest windows of nearly equal size that keep the limit.
void add_pieces(std::vector<Window>& windows, int64_t begin, int64_t size, int64_t limit) {
  const int64_t count = (size + limit - 1) / limit;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t piece = size / count + (i < size % count ? 1 : 0);
    windows.push_back({.begin = begin, .size = piece});
    begin += piece;
  }
}

}  // namespace

std::vector<Window> epoch_windows(std::span<const int64_t> buckets, int64_t window_size, uint64_t seed, int64_t epoch) {
  check(buckets.size() > 1 && buckets.back() > 0 && window_size > 0, "an epoch needs pairs and a window size");
  std::vector<Window> windows;
  const std::vector<int64_t> begins = group_begins(buckets, window_size);
  for (size_t i = 0; i + 1 < begins.size(); ++i) add_pieces(windows, begins[i], begins[i + 1] - begins[i], window_size);
  RandomStream random(seed, Purpose::Shuffle, static_cast<uint64_t>(epoch));
  shuffle(std::span(windows), random);
  return windows;
}

WindowPlan::WindowPlan(const EncodedPairs& from, const Window& window, int64_t step_tokens, uint64_t seed,
                       int64_t epoch)
    : WindowPlan(from, [](int64_t) { return 1; }, window, step_tokens, seed, epoch) {}

WindowPlan::WindowPlan(const EncodedPairs& from, const Copies& copies, const Window& window, int64_t step_tokens,
                       uint64_t seed, int64_t epoch) {
  check(window.size <= std::numeric_limits<uint32_t>::max(), "a window of over 2^32 pairs");
  const std::vector<Banded> pairs = banded_pairs(from, copies, window, seed, epoch);
  const BatchLimit size{.limit = step_tokens, .of_source = !from.form().writes_text()};
  for (size_t begin = 0; begin < pairs.size(); begin = batch_end(pairs, begin, size)) {
    begins_.push_back(static_cast<int64_t>(begin));
  }
  begins_.push_back(static_cast<int64_t>(pairs.size()));
  share_last_two(pairs, begins_, size);

  pairs_.reserve(pairs.size());
  for (const Banded& pair : pairs) pairs_.push_back(pair.offset);
  order_.resize(begins_.size() - 1);
  std::iota(order_.begin(), order_.end(), int64_t{0});
  RandomStream random(seed, Purpose::Batching, static_cast<uint64_t>(epoch), static_cast<uint64_t>(window.begin));
  shuffle(std::span(order_), random);
}

std::span<const uint32_t> WindowPlan::pairs(int64_t step) const {
  const auto place = static_cast<size_t>(order_.at(static_cast<size_t>(step)));
  const auto begin = static_cast<size_t>(begins_[place]);
  return std::span(pairs_).subspan(begin, static_cast<size_t>(begins_[place + 1]) - begin);
}

}  // namespace heed::data
