// Counter-based random numbers. A value is a function of (seed, purpose, step, micro-batch, index) and does not depend
// on numbers sampled before. So resuming needs no generator state, replicas do not race, and the order of work does not
// matter. The generator is Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3").
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace heed {

/// What the numbers are for. Streams with different purposes are independent. Never change the values: checkpoints
/// depend on them.
enum class Purpose : uint32_t {
  Initialization = 1,
  Shuffle = 2,
  Subwords = 3,
  Dropout = 4,
  Search = 5,
  Batching = 6,
  Mixing = 7,
  Augmentation = 8,
  Test = 99
};

/// The four 32-bit words at position `counter` of the stream `key`.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// A key made of a seed, a purpose and up to two indices (step and micro-batch; epoch and line; ...).
uint64_t stream_key(uint64_t seed, Purpose purpose, uint64_t first = 0, uint64_t second = 0);

/// The random stream of a key: a UniformRandomBitGenerator whose position can be read and set.
class RandomStream {
 public:
  using result_type = uint64_t;
  explicit RandomStream(uint64_t key) : key_(key) {}
  RandomStream(uint64_t seed, Purpose purpose, uint64_t first = 0, uint64_t second = 0)
      : key_(stream_key(seed, purpose, first, second)) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()();
  /// Uniform in [0, 1), 53 bits.
  double uniform();
  /// Uniform in [0, bound), without bias; bound > 0.
  uint64_t below(uint64_t bound);

  uint64_t key() const { return key_; }
  uint64_t position() const { return position_; }
  void seek(uint64_t position) { position_ = position; }

 private:
  uint64_t key_;
  uint64_t position_ = 0;
};

/// Fisher-Yates shuffle. The order is the same on every platform, unlike that of std::shuffle.
template <class T>
void shuffle(std::span<T> values, RandomStream& random) {
  for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

}  // namespace heed
