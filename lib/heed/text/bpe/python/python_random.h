// Python's random module, bit for bit: what random.seed(number) and random.random() give.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heed::text {

/// The Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), seeded by init_by_array as Python seeds it.
class PythonRandom {
 public:
  /// random.seed(seed): the sign is dropped.
  explicit PythonRandom(int64_t seed);
  /// random.random(): uniform in [0, 1), 53 bits.
  double uniform();

 private:
  static constexpr size_t kWords = 624;
  uint32_t word();
  void refill();

  std::array<uint32_t, kWords> state_{};
  size_t next_ = kWords;
};

}  // namespace heed::text
